/** Unpacks an uploaded archive into a folder. Runs in a subprocess, because it blocks and may be killed at any time. */
import { closeSync, openSync, readSync, createReadStream, fstatSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { bunzip, type ByteReader } from './bzip2.ts';
import { openTree, type UnpackedArchive } from './tree.ts';
import { openMeter, refusal, type ArchiveLimits } from './limits.ts';
import { recogniseArchive, isTar } from './recognition.ts';
import { openTar, type EntrySink, type TarTarget } from './tar.ts';
import { unpackZip } from './zip.ts';

export interface UnpackTask {
  /** The uploaded file. */
  readonly path: string;
  /** An empty folder of the job. */
  readonly folder: string;
  readonly limits: ArchiveLimits;
}

/** Unpacks a zip, tar, tar.gz or tar.bz2 archive, or a single compressed HTML file. @throws Failure archiveUnusable */
export async function unpack({ path, folder, limits }: UnpackTask): Promise<UnpackedArchive> {
  const { head, size } = readHead(path);
  const meter = openMeter(limits, size);
  const tree = openTree(folder, limits);
  const kind = recogniseArchive(head);
  if (kind === 'zip') await unpackZip({ path, limits, meter, tree });
  else {
    const sink = openTarOrHtmlFile({ limits, meter, tree });
    if (kind === 'gzip') await gunzipTo(path, sink);
    else if (kind === 'bzip2') bunzipTo(path, sink);
    else if (kind === 'tar') readTo(path, sink);
    else throw refusal('The file is not a supported archive; send a zip, tar, tar.gz or tar.bz2.');
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

function readTo(path: string, sink: EntrySink): void {
  for (const chunk of chunksOf(path)) sink.write(chunk);
}

async function gunzipTo(path: string, sink: EntrySink): Promise<void> {
  const gunzip = createGunzip({ chunkSize });
  const file = createReadStream(path, { highWaterMark: chunkSize });
  file.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  try {
    for await (const chunk of gunzip) sink.write(chunk as Buffer);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    const problem = code === 'Z_BUF_ERROR' ? 'truncated; send it again' : 'damaged; pack the files again';
    throw refusal(`The gzip archive is ${problem}.`, error);
  } finally {
    file.destroy();
  }
}

function bunzipTo(path: string, sink: EntrySink): void {
  const chunks = chunksOf(path);
  try {
    bunzip(byteReader(chunks), (chunk) => {
      sink.write(chunk);
    });
  } finally {
    chunks.return(undefined);
  }
}

function byteReader(chunks: Iterator<Buffer, undefined>): ByteReader {
  let chunk = chunks.next().value;
  let offset = 0;
  return {
    ended: () => chunk === undefined,
    next() {
      const byte = chunk?.[offset] ?? -1;
      offset += 1;
      if (chunk?.length === offset) {
        chunk = chunks.next().value;
        offset = 0;
      }
      return byte;
    },
  };
}

const blockSize = 512;

/** Returns a sink for a tar archive or a single HTML file (from gzip or bzip2). The first 512 bytes determine which. */
function openTarOrHtmlFile(target: TarTarget): EntrySink {
  let head = Buffer.alloc(0);
  let sink: EntrySink | undefined;
  const decide = (): EntrySink => {
    const opened = isTar(head) ? openTar(target) : openHtmlFile(target);
    opened.write(head);
    return opened;
  };
  return {
    write(chunk) {
      target.meter.add(chunk.length);
      if (sink !== undefined) {
        sink.write(chunk);
        return;
      }
      head = Buffer.concat([head, chunk]);
      if (head.length >= blockSize) sink = decide();
    },
    end() {
      if (head.length === 0) throw refusal('The archive is empty; send one with an HTML file in it.');
      (sink ?? decide()).end();
    },
  };
}

function openHtmlFile({ tree, meter }: TarTarget): EntrySink {
  meter.countEntry();
  return tree.addFile('index.html');
}
