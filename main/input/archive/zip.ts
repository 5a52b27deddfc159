/** Unpacks zip. adm-zip reads the directory; the inflating is done here, so that a bomb is stopped while it swells. */
import AdmZip from 'adm-zip';
import { readFileSync } from 'node:fs';
import { crc32, createInflateRaw } from 'node:zlib';
import { tooManyEntries, type ArchiveLimits, type Meter } from './limits.ts';
import { refusal, shown } from './refusal.ts';
import type { Tree } from './tree.ts';
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

function readDirectory(zip: Buffer, end: ZipEnd, limits: ArchiveLimits): AdmZip.IZipEntry[] {
  const decoder = rawDecoder(limits);
  try {
    const archive = new AdmZip(zip, { noSort: true, decoder });
    if (archive.getEntryCount() > limits.entries) throw tooManyEntries(limits);
    return wholeDirectory(archive.getEntries(), end);
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'Failure') throw error;
    const twice = /duplicate/i.test(error.message);
    const why = twice
      ? `has an entry twice (${shown(error.message)})`
      : 'is damaged: its directory cannot be read';
    throw refusal(`The zip archive ${why}; pack the files again.`, error);
  }
}

/** A directory that goes on after the declared number of entries would show other readers other files. */
function wholeDirectory(entries: AdmZip.IZipEntry[], { directory }: ZipEnd): AdmZip.IZipEntry[] {
  const size = entries.reduce((sum, { header }) => sum + header.centralHeaderSize, 0);
  if (size === directory.end - directory.start) return entries;
  throw refusal(
    'The zip archive is damaged: its directory has another length than its end says; pack the files again.',
  );
}

/**
 * adm-zip keys its table by decoded names, so they must differ when the bytes do. It also makes a key for each folder of a
 * name, in time quadratic in their number: a name of 65,535 slashes would take seconds.
 */
function rawDecoder({ depth, nameBytes }: ArchiveLimits): AdmZip.ZipTextDecoder {
  return {
    encode: (name) => Buffer.from(name, 'latin1'),
    decode(bytes) {
      const name = Buffer.from(bytes).toString('latin1');
      if (name.length <= (depth + 1) * (nameBytes + 1)) return name;
      throw refusal(`The zip archive's entry ${shown(name)} has too long a name; shorten it.`);
    },
  };
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

async function* contentsOf(entry: ZipEntry): AsyncGenerator<Buffer> {
  if (!entry.deflated) {
    yield entry.bytes;
    return;
  }
  const inflate = createInflateRaw({ chunkSize: 65_536 });
  inflate.end(entry.bytes);
  try {
    for await (const chunk of inflate) yield chunk as Buffer;
  } catch (error) {
    throw damaged(entry, 'is damaged: its bytes cannot be unpacked', error);
  }
  if (inflate.bytesWritten !== entry.bytes.length) throw damaged(entry, 'is followed by bytes of nothing');
}

function damaged({ name }: ZipEntry, what: string, cause?: unknown): Error {
  return refusal(`The zip archive's entry ${shown(name)} ${what}; pack the files again.`, cause);
}
