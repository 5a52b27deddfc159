import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../../../main/failure/failure.ts';
import { defaultLimits } from '../../../../main/input/archive/limits.ts';
import { unpack } from '../../../../main/input/archive/unpack.ts';
import { mutate, mutations } from '../../../support/archives/mutations.ts';
import { pax, tar } from '../../../support/archives/tar-writer.ts';
import { zip } from '../../../support/archives/zip-writer.ts';
import { hostileNames, packers, fileTrees, type File } from './archives.ts';

const limits = { ...defaultLimits, entries: 60, bytes: 200_000, ratioFrom: 150_000 };

interface Outcome {
  readonly entries?: ReadonlyMap<string, Buffer>;
  readonly refusal?: Failure;
}

/**
 * Unpacks an archive in this thread, and asserts that all files are written into its folder and within the limits. Returns the
 * files, or the failure if the archive is refused.
 */
async function outcomeOf(archive: Buffer): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), 'platen-fuzz-'));
  const folder = join(home, 'a', 'job');
  const path = join(home, 'upload');
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, archive);
    const outcome = await unpack({ path, folder, limits }).then(
      ({ root, entries }) => ({
        entries: new Map(entries.map((name) => [name, readFileSync(join(root, name))])),
      }),
      refusalOf,
    );
    assertInside(home);
    return outcome;
  } finally {
    rmSync(home, { recursive: true });
  }
}

function refusalOf(problem: unknown): Outcome {
  if (!(problem instanceof Failure)) throw problem;
  assert.equal(problem.kind, 'archiveUnusable');
  assert.match(problem.message, /^[A-Z].*\.$/s);
  return { refusal: problem };
}

function assertInside(home: string): void {
  assert.deepEqual(readdirSync(home).sort(), ['a', 'upload']);
  assert.deepEqual(readdirSync(join(home, 'a')), ['job']);
  const inside = readdirSync(join(home, 'a', 'job'), { recursive: true }).map((name) =>
    lstatSync(join(home, 'a', 'job', String(name))),
  );
  assert.ok(inside.length <= limits.entries);
  assert.ok(inside.every((entry) => entry.isFile() || entry.isDirectory()));
  assert.ok(inside.reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0) <= limits.bytes);
}

/** Returns the files that unpacking writes: the packed files, without their top folder if they share one. */
function expected(files: readonly File[]): Map<string, Buffer> {
  const tops = new Set(files.map(({ path }) => path[0]));
  return new Map(
    files.map(({ path, contents }) => [path.slice(tops.size === 1 ? 1 : 0).join('/'), Buffer.from(contents)]),
  );
}

for (const [what, pack] of Object.entries(packers))
  describe(what, () => {
    test('unpacks to the packed files, byte for byte', async () => {
      await fc.assert(
        fc.asyncProperty(fileTrees, async (files) => {
          const { entries, refusal } = await outcomeOf(pack(files));
          assert.equal(refusal, undefined);
          assert.deepEqual(entries, expected(files));
        }),
        { numRuns: 40 },
      );
    });

    test('is refused, or unpacked into its folder and within the limits, even if it is damaged', async () => {
      await fc.assert(
        fc.asyncProperty(fileTrees, mutations, async (files, all) => {
          await outcomeOf(mutate(pack(files), all));
        }),
        { numRuns: 150 },
      );
    });
  });

describe('any name of an entry', () => {
  const bodies: readonly ((name: string) => Buffer)[] = [
    (name) => zip([{ name, contents: 'x' }]),
    (name) => zip([{ name: Buffer.from(name, 'latin1'), contents: 'x', flags: 0, system: 0 }]),
    (name) => tar([{ name, contents: 'x' }]),
    (name) => tar([pax({ path: name }), { name: 'y', contents: 'x' }]),
  ];

  test('leads to a file inside the folder, or to the refusal of the archive', async () => {
    await fc.assert(
      fc.asyncProperty(hostileNames, fc.constantFrom(...bodies), async (name, body) => {
        const { entries } = await outcomeOf(body(name));
        for (const entry of entries?.keys() ?? []) {
          assert.doesNotMatch(entry, /^\/|(^|\/)\.\.?(\/|$)|[\\:\p{Cc}]|[. ](\/|$)/u);
        }
      }),
      { numRuns: 600 },
    );
  });
});

test('random bytes are refused, even if they begin like an archive', async () => {
  const start = fc.constantFrom(
    'PK\x03\x04',
    'PK\x05\x06',
    '\x1f\x8b\x08',
    'BZh91AY&SY',
    'BZh9\x17rE8P\x90',
    '',
  );
  await fc.assert(
    fc.asyncProperty(start, fc.uint8Array({ maxLength: 1200 }), async (head, rest) => {
      const { refusal } = await outcomeOf(Buffer.concat([Buffer.from(head, 'latin1'), rest]));
      assert.ok(refusal);
    }),
    { numRuns: 400 },
  );
});
