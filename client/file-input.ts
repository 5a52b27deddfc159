/** The types of values that the client accepts as a file. */

/**
 * A file to send. A `File` has a file name; `NamedFile` adds a name to other content. The client reads a `Blob` of a
 * file on disk while sending it.
 */
export type FileInput = Blob | ArrayBuffer | ArrayBufferView | NamedFile;

/** Content with a file name. The service mentions the name in error messages, but detects the file type from the content. */
export interface NamedFile {
  readonly name: string;
  readonly content: Blob | ArrayBuffer | ArrayBufferView;
}

export interface FilePart {
  readonly name: string;
  readonly blob: Blob;
}

/**
 * Returns the file for a form field. Content without a file name gets the name of the field. @throws TypeError for a value that is
 * not a file, such as a path
 */
export function filePart(field: string, input: unknown): FilePart {
  if (isBlob(input)) return { name: 'name' in input ? String(input.name) : field, blob: input };
  if (isBytes(input)) return { name: field, blob: blobOf(input) };
  const { name, content } = isRecord(input) ? input : {};
  if (typeof name !== 'string' || !(isBlob(content) || isBytes(content)))
    throw new TypeError(
      `${field} takes a Blob, a File, bytes or { name, content }; to send a file by its path, use openFile from platen-client/node`,
    );
  return { name, blob: isBlob(content) ? content : blobOf(content) };
}

function isBlob(value: unknown): value is Blob {
  return value instanceof Blob;
}

function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function blobOf(bytes: ArrayBuffer | ArrayBufferView): Blob {
  // The cast is needed because TypeScript rejects views of a SharedArrayBuffer, for which the constructor of browsers throws.
  return new Blob([bytes as ArrayBuffer]);
}
