/** Unpacks zip. adm-zip reads the directory; the rest is done here, so that a bomb is stopped while it swells. */
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { ArchiveLimits, Meter } from './limits.ts';
import { refusal, shown } from './refusal.ts';
import type { Tree } from './tree.ts';
import { contentsOf, damaged } from './zip-contents.ts';
import { readDirectory } from './zip-directory.ts';
import { readZipEnd, type ZipEnd } from './zip-end.ts';
import { readZipEntry, type ZipEntry } from './zip-entry.ts';

export interface Unpacking {
  readonly path: string;
  readonly limits: ArchiveLimits;
  readonly meter: Meter;
  readonly tree: Tree;
}

/** @throws Failure archiveUnusable */
export async function unpackZip({ path, limits, meter, tree }: Unpacking): Promise<void> {
  const zip = readFileSync(path);
  const end = readZipEnd(zip);
  const entries = readDirectory(zip, end, limits).map((entry) => {
    meter.countEntry();
    return readZipEntry(zip, entry);
  });
  refuseOverlaps(entries, end);
  for (const entry of entries) {
    if (entry.isFolder) tree.addFolder(entry.name);
    else await unpackFile(entry, { meter, tree });
  }
}

/** Entries that share bytes make a bomb without nesting (Fifield, 2019). */
function refuseOverlaps(entries: readonly ZipEntry[], { directory }: ZipEnd): void {
  const byPlace = [...entries].sort((one, other) => one.start - other.start);
  byPlace.forEach(({ name, end }, index) => {
    if (end > (byPlace[index + 1]?.start ?? directory.start)) {
      throw refusal(`The zip archive's entry ${shown(name)} overlaps another one; pack the files again.`);
    }
  });
}

async function unpackFile(
  entry: ZipEntry,
  { meter, tree }: Pick<Unpacking, 'meter' | 'tree'>,
): Promise<void> {
  const file = tree.addFile(entry.name);
  let [size, crc] = [0, 0];
  for await (const chunk of contentsOf(entry)) {
    meter.add(chunk.length);
    size += chunk.length;
    if (size > entry.size) throw damaged(entry, 'holds more than it declares');
    crc = crc32(chunk, crc);
    file.write(chunk);
  }
  file.end();
  if (size < entry.size) throw damaged(entry, 'holds less than it declares');
  if (crc !== entry.crc) throw damaged(entry, 'is damaged: its checksum is wrong');
}
