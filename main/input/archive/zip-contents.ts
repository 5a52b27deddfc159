/** Undoes deflate. Never by adm-zip, which would inflate a whole entry at once up to whatever size it declares. */
import { createInflateRaw, inflateRawSync } from 'node:zlib';
import { refusal, shown } from './refusal.ts';
import type { ZipEntry } from './zip-entry.ts';

/** What comes out of an entry, piece by piece; the taker counts. @throws Failure archiveUnusable */
export async function* contentsOf(entry: ZipEntry): AsyncGenerator<Buffer> {
  if (!entry.deflated) {
    yield entry.bytes;
    return;
  }
  try {
    if (entry.size <= smallSize) yield inflateSmall(entry);
    else yield* inflateLarge(entry);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ERR_BUFFER_TOO_LARGE') throw damaged(entry, 'holds more than it declares', error);
    if (!code.startsWith('Z_')) throw error;
    throw damaged(entry, 'is damaged: its bytes cannot be unpacked', error);
  }
}

/** Up to this many declared bytes are inflated in one piece: a stream for each of thousands of small files takes seconds. */
const smallSize = 1_000_000;

function inflateSmall(entry: ZipEntry): Buffer {
  const options = { maxOutputLength: entry.size + 1, info: true };
  // With `info` it returns more than its types say.
  const { buffer, engine } = inflateRawSync(entry.bytes, options) as unknown as {
    buffer: Buffer;
    engine: { bytesWritten: number };
  };
  refuseRest(entry, engine.bytesWritten);
  return buffer;
}

async function* inflateLarge(entry: ZipEntry): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: 65_536 });
  inflate.end(entry.bytes);
  for await (const chunk of inflate) yield chunk as Buffer;
  refuseRest(entry, inflate.bytesWritten);
}

function refuseRest(entry: ZipEntry, used: number): void {
  if (used !== entry.bytes.length) throw damaged(entry, 'is followed by bytes that belong to nothing');
}

export function damaged({ name }: ZipEntry, what: string, cause?: unknown): Error {
  return refusal(`The zip archive's entry ${shown(name)} ${what}; pack the files again.`, cause);
}
