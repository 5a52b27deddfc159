/** Writes tar archives, valid and invalid. */

export interface TarEntry {
  readonly name: string | Buffer;
  readonly contents?: string | Buffer;
  /** `0` is a file, `1` a hard link, `2` a symbolic link, `3` and `4` devices, `5` a folder, `6` a FIFO. */
  readonly type?: string;
  readonly link?: string;
  /** The size field of the header, if it must differ from the size of the contents. */
  readonly size?: string;
  /** The prefix field of the header: the first part of a long name. */
  readonly prefix?: string;
  /** Whether to write the format before POSIX, which has neither `ustar` nor a prefix. */
  readonly old?: boolean;
  readonly checksum?: number;
}

/** @param end Bytes after the entries; default: two blocks of zeros, padded to 10,240 bytes. */
export function tar(entries: readonly TarEntry[], end?: Buffer): Buffer {
  const body = Buffer.concat(entries.map(tarEntry));
  const padding = 10_240 - ((body.length + 1024) % 10_240);
  return Buffer.concat([body, end ?? Buffer.alloc(1024 + padding)]);
}

export function tarEntry(entry: TarEntry): Buffer {
  const contents = Buffer.from(entry.contents ?? '');
  const header = Buffer.alloc(512);
  (typeof entry.name === 'string' ? Buffer.from(entry.name) : entry.name).copy(header, 0, 0, 100);
  header.write('0000644\0', 100);
  header.write(entry.size ?? `${contents.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write('14700000000\0', 136);
  header.write(entry.type ?? (entry.old === true ? '\0' : '0'), 156);
  header.write(entry.link ?? '', 157);
  if (entry.old !== true) header.write('ustar\x0000', 257);
  header.write(entry.prefix ?? '', 345);
  header.fill(' ', 148, 156);
  const sum = entry.checksum ?? header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, contents, Buffer.alloc((512 - (contents.length % 512)) % 512)]);
}

/** Returns an extended header (pax) for the next entry. */
export function pax(records: Readonly<Record<string, string>>, type = 'x'): TarEntry {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`);
    const length = rest + String(rest + String(rest).length).length;
    return `${length} ${key}=${value}\n`;
  });
  return { name: 'PaxHeader', type, contents: lines.join('') };
}

/** Returns GNU tar's entry with a long name for the next entry. */
export function longName(name: string): TarEntry {
  return { name: '././@LongLink', type: 'L', contents: `${name}\0` };
}
