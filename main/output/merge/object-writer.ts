/**
 * Writes the objects of several PDF documents to one file, each with a new number, so that only one document is in memory. Equal
 * streams of different documents, such as the logo of a letter, are written once.
 */
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { PDFArray, PDFDict, PDFObject, PDFRawStream, PDFRef, type PDFContext } from '@cantoo/pdf-lib';
import { referenceReplacer } from '../finish/pdf-document.ts';

/** A reference to an object of the merged file. pdf-lib would keep each of its own references in memory. */
export class MergedRef extends PDFObject {
  readonly number: number;

  constructor(number: number) {
    super();
    this.number = number;
  }

  override clone(): this {
    return this;
  }

  override toString(): string {
    return `${this.number} 0 R`;
  }

  override sizeInBytes(): number {
    return this.toString().length;
  }

  override copyBytesInto(buffer: Uint8Array, offset: number): number {
    return Buffer.from(buffer.buffer, buffer.byteOffset, buffer.length).write(
      this.toString(),
      offset,
      'latin1',
    );
  }
}

/** Bytes that are collected before they are written. */
const bufferBytes = 1_000_000;

export class ObjectWriter {
  readonly #file: number;
  /** The position of each object in the file, by its number. */
  readonly #offsets: number[] = [0];
  /** The numbers of written streams, by the digest of their content. */
  readonly #streams = new Map<string, MergedRef>();
  readonly #hash = createHash('sha256');
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #bytes = 0;

  /** `file`: the descriptor of an empty file. */
  constructor(file: number) {
    this.#file = file;
    this.#write(Buffer.from('%PDF-1.7\n%\u00b5\u00b6\n', 'latin1'));
  }

  /** Returns the number of an object that is written later. */
  reserve(): MergedRef {
    this.#offsets.push(0);
    return new MergedRef(this.#offsets.length - 1);
  }

  /** Writes the object. Its references must be MergedRefs. */
  write(ref: MergedRef, object: PDFObject): void {
    this.#offsets[ref.number] = this.#bytes;
    this.#write(Buffer.from(`${ref.number} 0 obj\n`, 'latin1'));
    this.#write(bytesOfObject(object));
    this.#write(Buffer.from('\nendobj\n', 'latin1'));
  }

  /** Writes the object with a new number. */
  add(object: PDFObject): MergedRef {
    const ref = this.reserve();
    this.write(ref, object);
    return ref;
  }

  /** Starts to copy objects of a document. Changes the document: do not use it later. */
  copyFrom(context: PDFContext): DocumentCopy {
    return new DocumentCopy(context, this, this.#streams);
  }

  /** Writes the end of the file. Returns the size of the file in bytes. */
  end(trailer: { readonly root: MergedRef; readonly info: MergedRef }): number {
    const start = this.#bytes;
    const id = this.#hash.copy().digest('hex').slice(0, 32).toUpperCase();
    const entries = this.#offsets.map((offset, number) =>
      number === 0 ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`,
    );
    const size = entries.length;
    this.#write(Buffer.from(`xref\n0 ${size}\n${entries.join('')}`, 'latin1'));
    const dict = `<< /Size ${size} /Root ${String(trailer.root)} /Info ${String(trailer.info)} /ID [<${id}> <${id}>] >>`;
    this.#write(Buffer.from(`trailer\n${dict}\nstartxref\n${start}\n%%EOF\n`, 'latin1'));
    this.#flush();
    return this.#bytes;
  }

  #write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    this.#bytes += bytes.length;
    if (this.#pendingBytes >= bufferBytes) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#pending);
    for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done);
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

/** Copies the objects of one document to the merged file. */
export class DocumentCopy {
  readonly #context: PDFContext;
  readonly #writer: ObjectWriter;
  readonly #streams: Map<string, MergedRef>;
  readonly #refs = new Map<PDFRef, MergedRef>();
  /** Streams that are not shared, and those that are being examined: a stream that refers to itself is not shared. */
  readonly #unshared = new Set<PDFRef>();
  readonly #waiting: (readonly [MergedRef, PDFObject])[] = [];
  readonly #replace = referenceReplacer((ref) => this.#newRef(ref));

  constructor(context: PDFContext, writer: ObjectWriter, streams: Map<string, MergedRef>) {
    this.#context = context;
    this.#writer = writer;
    this.#streams = streams;
  }

  /** Writes an object, and everything to which it refers, unless this has been done. Returns the new reference. */
  copy(ref: PDFRef): PDFObject {
    const copied = this.#newRef(ref);
    // A list instead of recursion, because the objects of a long document form long chains.
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      const [newRef, object] = next;
      this.#writer.write(newRef, this.#replace(object));
    }
    return copied;
  }

  /** Copies an object as a reserved object. Call this before other objects that refer to it are copied. */
  copyAs(newRef: MergedRef, ref: PDFRef): void {
    const object = this.#context.lookup(ref);
    if (object === undefined) return;
    this.#refs.set(ref, newRef);
    this.#waiting.push([newRef, object]);
    this.copy(ref);
  }

  #newRef(ref: PDFRef): PDFObject {
    const known = this.#refs.get(ref) ?? this.#sharedStream(ref);
    if (known !== undefined) return known;
    const object = this.#context.lookup(ref);
    // A reference to object 0, which is never in use (ISO 32000-1, 7.5.4), means null, like the dangling one.
    if (object === undefined) return new MergedRef(0);
    const newRef = this.#writer.reserve();
    this.#refs.set(ref, newRef);
    this.#waiting.push([newRef, object]);
    return newRef;
  }

  /**
   * Returns the reference of a stream that refers to nothing but such streams. Writes the stream unless an equal one has been
   * written. Returns undefined for other objects.
   */
  #sharedStream(ref: PDFRef): MergedRef | undefined {
    const known = this.#refs.get(ref);
    if (known !== undefined) return known;
    const stream = this.#context.lookup(ref);
    if (!(stream instanceof PDFRawStream) || this.#unshared.has(ref)) return undefined;
    this.#unshared.add(ref);
    const refs = [...refsIn(stream)];
    if (refs.some((inner) => this.#sharedStream(inner) === undefined)) return undefined;
    this.#unshared.delete(ref);
    this.#replace(stream);
    const digest = createHash('sha256').update(bytesOfObject(stream)).digest('base64');
    const shared = this.#streams.get(digest) ?? this.#writer.add(stream);
    this.#streams.set(digest, shared);
    this.#refs.set(ref, shared);
    return shared;
  }
}

/** Yields the references in an object, but not those in the objects to which they lead. */
function* refsIn(object: PDFObject): Generator<PDFRef> {
  if (object instanceof PDFRef) yield object;
  else if (object instanceof PDFArray) for (const value of object.asArray()) yield* refsIn(value);
  else if (object instanceof PDFDict) for (const value of object.values()) yield* refsIn(value);
  else if (object instanceof PDFRawStream) yield* refsIn(object.dict);
}

function bytesOfObject(object: PDFObject): Uint8Array {
  const bytes = new Uint8Array(object.sizeInBytes());
  object.copyBytesInto(bytes, 0);
  return bytes;
}
