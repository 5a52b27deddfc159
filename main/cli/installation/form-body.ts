/**
 * Writes a form as multipart/form-data (RFC 7578). FormData would not do, because it changes line breaks in texts, and the same
 * request must have the same bytes.
 */
import { randomUUID } from 'node:crypto';

export interface FormPart {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The file name, which makes the part a file. */
  readonly file?: string;
}

export interface FormBody {
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function formBodyOf(parts: readonly FormPart[]): FormBody {
  const boundary = `platen-${randomUUID()}`;
  const written = parts.flatMap(({ name, bytes, file }) => {
    const fileParameter = file === undefined ? '' : `; filename="${escaped(file)}"`;
    const typeHeader = file === undefined ? '' : '\r\nContent-Type: application/octet-stream';
    const disposition = `Content-Disposition: form-data; name="${escaped(name)}"${fileParameter}`;
    return [Buffer.from(`--${boundary}\r\n${disposition}${typeHeader}\r\n\r\n`), bytes, Buffer.from('\r\n')];
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/** Escapes a name as browsers do (HTML, 4.10.21.8). */
function escaped(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
