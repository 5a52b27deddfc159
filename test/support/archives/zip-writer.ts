/** Writes zip archives, with correct or inconsistent headers. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipHeader {
  readonly name: string | Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly extra: Buffer;
}

export interface ZipItem {
  readonly name: string | Buffer;
  readonly contents?: string | Buffer;
  /** The packed bytes; default: `contents` packed with `method`. */
  readonly raw?: Buffer;
  /** Default: 8, deflate. */
  readonly method?: number;
  /** Default: 0x800, UTF-8 names. */
  readonly flags?: number;
  /** The system that wrote the entry: 3 (default) is Unix, 0 is DOS. */
  readonly system?: number;
  /** The Unix mode with its file type. */
  readonly mode?: number;
  readonly extra?: Buffer;
  /** Values that replace those of the entry in the central directory, or in the local header. */
  readonly directory?: Partial<ZipHeader> & { readonly offset?: number; readonly disk?: number };
  readonly local?: Partial<ZipHeader>;
}

export interface ZipOverrides {
  readonly entries?: number;
  readonly entriesHere?: number;
  readonly start?: number;
  readonly size?: number;
  readonly disk?: number;
  readonly comment?: Buffer;
  /** Bytes between the central directory and its end record. */
  readonly gap?: Buffer;
}

export function zip(items: readonly ZipItem[], overrides: ZipOverrides = {}): Buffer {
  const locals: Buffer[] = [];
  const records: Buffer[] = [];
  let at = 0;
  for (const item of items) {
    const { local, record } = zipItem(item, at);
    locals.push(local);
    records.push(record);
    at += local.length;
  }
  const directory = Buffer.concat(records);
  const gap = overrides.gap ?? Buffer.alloc(0);
  return Buffer.concat([
    ...locals,
    directory,
    gap,
    endRecord(items.length, { start: at, size: directory.length, ...overrides }),
  ]);
}

/** Returns an entry at this offset: its local header with the packed bytes, and its record in the central directory. */
export function zipItem(item: ZipItem, offset: number): { local: Buffer; record: Buffer } {
  const contents = Buffer.from(item.contents ?? '');
  const method = item.method ?? 8;
  const raw = item.raw ?? (method === 8 ? deflateRawSync(contents) : contents);
  const packed = raw.length;
  const size = contents.length;
  const crc = crc32(contents);
  const flags = item.flags ?? 0x800;
  const extra = item.extra ?? Buffer.alloc(0);
  const header: ZipHeader = { name: item.name, flags, method, crc, packed, size, extra };
  const local = headerOf('PK\x03\x04', { ...header, ...item.local });
  return {
    local: Buffer.concat([local, raw]),
    record: recordOf(item, { ...header, ...item.directory }, offset),
  };
}

function recordOf(item: ZipItem, header: ZipHeader, offset: number): Buffer {
  const shared = headerOf('PK\x01\x02', header).subarray(4);
  const rest = Buffer.alloc(14);
  rest.writeUInt16LE(item.directory?.disk ?? 0, 2);
  rest.writeUInt32LE((item.mode ?? 0) * 0x10000, 6);
  rest.writeUInt32LE(item.directory?.offset ?? offset, 10);
  const made = Buffer.from([20, item.system ?? 3]);
  return Buffer.concat([Buffer.from('PK\x01\x02'), made, shared.subarray(0, 26), rest, shared.subarray(26)]);
}

/** Returns the fields that the local header and the central directory share, in the layout of the local header. */
function headerOf(signature: string, { name, flags, method, crc, packed, size, extra }: ZipHeader): Buffer {
  const fields = Buffer.alloc(30);
  const bytes = Buffer.from(name as string);
  fields.write(signature, 'latin1');
  fields.writeUInt16LE(20, 4);
  fields.writeUInt16LE(flags, 6);
  fields.writeUInt16LE(method, 8);
  fields.writeUInt32LE(crc, 14);
  fields.writeUInt32LE(packed, 18);
  fields.writeUInt32LE(size, 22);
  fields.writeUInt16LE(bytes.length, 26);
  fields.writeUInt16LE(extra.length, 28);
  return Buffer.concat([fields, bytes, extra]);
}

function endRecord(entries: number, overrides: ZipOverrides): Buffer {
  const end = Buffer.alloc(22);
  const comment = overrides.comment ?? Buffer.alloc(0);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(overrides.disk ?? 0, 4);
  end.writeUInt16LE((overrides.entriesHere ?? overrides.entries ?? entries) & 0xffff, 8);
  end.writeUInt16LE((overrides.entries ?? entries) & 0xffff, 10);
  end.writeUInt32LE(overrides.size ?? 0, 12);
  end.writeUInt32LE(overrides.start ?? 0, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, comment]);
}
