/** The values that a caller may pass as a file. */

/** A `File` contains its name. A `Blob` backed by a file on disk is read while it is sent. */
export type FileInput = Blob | ArrayBuffer | ArrayBufferView | NamedFile;

/** Content with a file name. Error messages mention the name; the service detects the type from the content. */
export interface NamedFile {
  readonly name: string;
  readonly content: Blob | ArrayBuffer | ArrayBufferView;
}

export interface FilePart {
  readonly name: string;
  readonly blob: Blob;
}

/** The file of a form field. A file without a name gets the name of the field. @throws TypeError for a value that is not a file, such as a path */
export function filePart(field: string, input: unknown): FilePart {
  if (isBlob(input)) return { name: 'name' in input ? String(input.name) : field, blob: input };
  if (isBytes(input)) return { name: field, blob: blobOf(input) };
  const { name, content } = isRecord(input) ? input : {};
  if (typeof name !== 'string' || !(isBlob(content) || isBytes(content)))
    throw new TypeError(
      `${field} takes a Blob, a File, bytes or { name, content }; openFile of platen-client/node opens a path`,
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
  // The cast excludes shared memory, for which the constructor throws.
  return new Blob([bytes as ArrayBuffer]);
}
