/** From an uploaded file to files in a folder. Runs in the worker: it blocks, and believes it may be ended any time. */
import { closeSync, openSync, readSync, createReadStream, fstatSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { bunzip, type Bytes } from './bzip2.ts';
import type { Extracted } from './extracted.ts';
import { openMeter, type ArchiveLimits } from './limits.ts';
import { recogniseArchive } from './recognition.ts';
import { refusal } from './refusal.ts';
import type { Sink } from './tar.ts';
import { openTree } from './tree.ts';
import { openTarOrPage } from './tar-or-page.ts';
import { unpackZip } from './zip.ts';

export interface Order {
  /** The uploaded file. */
  readonly path: string;
  /** The job's own, empty. */
  readonly folder: string;
  readonly limits: ArchiveLimits;
}

/** @throws Failure archiveUnusable */
export async function unpack({ path, folder, limits }: Order): Promise<Extracted> {
  const { head, size } = readHead(path);
  const [meter, tree] = [openMeter(limits, size), openTree(folder, limits)];
  const kind = recogniseArchive(head);
  if (kind === 'zip') await unpackZip({ path, limits, meter, tree });
  else {
    const sink = openTarOrPage({ limits, meter, tree });
    if (kind === 'gzip') await gunzipTo(path, sink);
    else if (kind === 'bzip2') bunzipTo(path, sink);
    else if (kind === 'tar') readTo(path, sink);
    else throw refusal('The file is none of the archives that can be read: zip, tar, tar.gz, tar.bz2.');
    sink.end();
  }
  return tree.finish();
}

const chunkSize = 65_536;

function readHead(path: string): { head: Buffer; size: number } {
  const descriptor = openSync(path, 'r');
  try {
    const head = Buffer.alloc(512);
    const length = readSync(descriptor, head);
    return { head: head.subarray(0, length), size: fstatSync(descriptor).size };
  } finally {
    closeSync(descriptor);
  }
}

function* chunksOf(path: string): Generator<Buffer, undefined> {
  const descriptor = openSync(path, 'r');
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkSize);
      const length = readSync(descriptor, chunk);
      if (length === 0) return undefined;
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

function readTo(path: string, sink: Sink): void {
  for (const chunk of chunksOf(path)) sink.write(chunk);
}

async function gunzipTo(path: string, sink: Sink): Promise<void> {
  const gunzip = createGunzip({ chunkSize });
  const file = createReadStream(path, { highWaterMark: chunkSize });
  file.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  try {
    for await (const chunk of gunzip) sink.write(chunk as Buffer);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    const what = code === 'Z_BUF_ERROR' ? 'cut off; send it again' : 'damaged; pack the files again';
    throw refusal(`The gzip archive is ${what}.`, error);
  } finally {
    file.destroy();
  }
}

function bunzipTo(path: string, sink: Sink): void {
  const chunks = chunksOf(path);
  try {
    bunzip(bytesOf(chunks), (piece) => {
      sink.write(piece);
    });
  } finally {
    chunks.return(undefined);
  }
}

function bytesOf(chunks: Iterator<Buffer, undefined>): Bytes {
  let chunk = chunks.next().value;
  let at = 0;
  return {
    ended: () => chunk === undefined,
    next() {
      const byte = chunk?.[at] ?? -1;
      at += 1;
      if (chunk?.length === at) [chunk, at] = [chunks.next().value, 0];
      return byte;
    },
  };
}
