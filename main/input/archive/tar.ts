/** Unpacks tar incrementally. node-tar parses the archive; this file decides which entries are allowed. */
import { Parser, type ReadEntry } from 'tar';
import { refusal, quotedName, type ArchiveLimits, type Meter } from './limits.ts';
import type { Tree } from './tree.ts';

export interface EntrySink {
  write(chunk: Buffer): void;
  /** @throws Failure archiveUnusable if the archive is truncated. */
  end(): void;
}

export interface TarTarget {
  readonly limits: ArchiveLimits;
  readonly meter: Meter;
  readonly tree: Tree;
}

/** Returns a sink that unpacks a tar archive. `write` unpacks entries and throws errors synchronously. */
export function openTar(target: TarTarget): EntrySink {
  const parser = new Parser({ strict: true, zstd: false, brotli: false });
  let complete = false;
  parser.on('entry', (entry: ReadEntry) => {
    unpackEntry(entry, target);
  });
  parser.on('ignoredEntry', (entry: ReadEntry) => {
    throw unsupportedEntry(entry);
  });
  parser.on('meta', metaReader(target.limits));
  parser.on('eof', () => (complete = true));
  parser.on('error', (error: Error) => {
    throw damaged(error);
  });
  return {
    write(chunk) {
      // The parser would buffer all data after the end of the archive.
      if (!complete) parser.write(chunk);
    },
    end() {
      parser.end();
      if (!complete) throw refusal('The tar archive is truncated: its end is missing; send it again.');
    },
  };
}

function unpackEntry(entry: ReadEntry, { meter, tree }: TarTarget): void {
  meter.countEntry();
  if (entry.type === 'Directory') {
    tree.addFolder(entry.path);
    entry.resume();
    return;
  }
  if (entry.type !== 'File' && entry.type !== 'OldFile') throw unsupportedEntry(entry);
  const file = tree.addFile(entry.path);
  entry.on('data', (chunk: Buffer) => {
    file.write(chunk);
  });
  entry.on('end', () => {
    file.end();
  });
}

const refusalReasons: { readonly [type: string]: string } = {
  SymbolicLink: 'is a symbolic link; pack the target of the link instead',
  Link: 'is a hard link; pack the target of the link instead',
  CharacterDevice: 'is a device; leave it out',
  BlockDevice: 'is a device; leave it out',
  FIFO: 'is a pipe; leave it out',
};

function unsupportedEntry(entry: ReadEntry): Error {
  const problem = entry.meta
    ? 'has attributes of more than 1 MB; pack it without them'
    : refusalReasons[entry.type];
  return refusal(
    `The tar archive's entry ${quotedName(entry.path)} ${problem ?? 'is neither a plain file nor a folder; leave it out'}.`,
  );
}

/**
 * Returns a listener for extended headers. It refuses GNU sparse files, which node-tar would unpack as plain files that contain a
 * map of the data. It also limits the number of extended headers.
 */
function metaReader(limits: ArchiveLimits): (text: string) => void {
  // Each entry can have up to three extended headers (long names and attributes).
  let remaining = 3 * limits.entries;
  return (text) => {
    remaining -= 1;
    if (remaining < 0)
      throw refusal(
        'The tar archive contains too many extended headers; pack the files again without extended attributes.',
      );
    if (!text.includes('GNU.sparse.')) return;
    const name = /GNU\.sparse\.name=(.*)/.exec(text)?.[1] ?? '';
    throw refusal(`The tar archive's entry ${quotedName(name)} is a sparse file; pack it without --sparse.`);
  };
}

function damaged(error: Error): Error {
  const header: unknown = 'header' in error ? error.header : undefined;
  const path = typeof header === 'object' && header !== null && 'path' in header ? String(header.path) : '';
  const where = path === '' ? '' : ` at the entry ${quotedName(path)}`;
  const reason = error.message.replace(/^TAR_[A-Z_]+: /, '');
  return refusal(`The tar archive is damaged${where} (${reason}); pack the files again.`, error);
}
