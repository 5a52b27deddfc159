/** Archives truncated at every tenth byte. They are unpacked in this thread, because there are hundreds. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { defaultLimits } from '../../../../main/input/archive/limits.ts';
import { unpack } from '../../../../main/input/archive/unpack.ts';
import { bzip2 } from '../../../support/archives/bzip2-writer.ts';
import { tar } from '../../../support/archives/tar-writer.ts';
import { zip } from '../../../support/archives/zip-writer.ts';

let home: string;
before(() => {
  home = mkdtempSync(join(tmpdir(), 'platen-cut-'));
});
after(() => {
  rmSync(home, { recursive: true });
});

const files = [
  { name: 'index.html', contents: '<p>Hello' },
  {
    name: 'css/page.css',
    contents: Array.from({ length: 200 }, (_, at) => `p${at * at} { left: ${at}px }`).join('\n'),
  },
];
const completeTar = tar(files);
/** After the second block of zeros, a tar contains only padding, which may be missing. */
const endOfTar = completeTar.findLastIndex((byte) => byte !== 0) + 512;

const formats: readonly (readonly [format: string, archive: Buffer])[] = [
  ['zip', zip(files)],
  ['tar', completeTar.subarray(0, Math.ceil(endOfTar / 512) * 512 + 512)],
  ['tar.gz', gzipSync(completeTar)],
  ['tar.bz2', bzip2(completeTar)],
  ['gzipped page', gzipSync(files[1]?.contents ?? '')],
];

describe('an archive is refused wherever it is cut off, at any tenth byte:', () => {
  for (const [format, archive] of formats) {
    test(format, async () => {
      for (let length = 0; length < archive.length; length += 10) {
        const options = unpackOptions(archive.subarray(0, length), `${format}-${length}`);
        await assert.rejects(
          unpack(options),
          { kind: 'archiveUnusable' },
          `cut at ${length} of ${archive.length}`,
        );
      }
      await unpack(unpackOptions(archive, `${format}-whole`));
    });
  }
});

test('a zip with a changed byte is unpacked, or refused as an unusable archive', async () => {
  const archive = zip(files);
  for (let at = 0; at < archive.length; at += 7) {
    const changed = Buffer.from(archive);
    changed[at] = (changed[at] ?? 0) ^ 0x24;
    await unpack(unpackOptions(changed, `changed-${at}`)).catch((error: unknown) => {
      assert.equal((error as { kind?: string }).kind, 'archiveUnusable', `byte ${at}: ${String(error)}`);
    });
  }
});

function unpackOptions(archive: Buffer, name: string): Parameters<typeof unpack>[0] {
  const path = join(home, `${name}.upload`);
  const folder = join(home, name);
  writeFileSync(path, archive);
  mkdirSync(folder);
  return { path, folder, limits: defaultLimits };
}
