/** Unpacks tar, as its bytes arrive. node-tar parses; what may become a file is decided here. */
import { Parser, type ReadEntry } from 'tar';
import type { ArchiveLimits, Meter } from './limits.ts';
import { refusal, shown } from './refusal.ts';
import type { Tree } from './tree.ts';

export interface Sink {
  write(chunk: Buffer): void;
  /** @throws Failure archiveUnusable when something is missing. */
  end(): void;
}

export interface TarTarget {
  readonly limits: ArchiveLimits;
  readonly meter: Meter;
  readonly tree: Tree;
}

/** Everything happens in `write`, synchronously, errors included. */
export function openTar(target: TarTarget): Sink {
  const parser = new Parser({ strict: true, zstd: false, brotli: false });
  let complete = false;
  parser.on('entry', (entry: ReadEntry) => {
    unpackEntry(entry, target);
  });
  parser.on('ignoredEntry', (entry: ReadEntry) => {
    throw oddEntry(entry);
  });
  parser.on('meta', metaReader(target.limits));
  parser.on('eof', () => (complete = true));
  parser.on('error', (error: Error) => {
    throw damaged(error);
  });
  return {
    write(chunk) {
      // The parser would hoard whatever follows the end.
      if (!complete) parser.write(chunk);
    },
    end() {
      parser.end();
      if (!complete) throw refusal('The tar archive is cut off: its end is missing; send it again.');
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
  if (entry.type !== 'File' && entry.type !== 'OldFile') throw oddEntry(entry);
  const file = tree.addFile(entry.path);
  entry.on('data', (chunk: Buffer) => {
    file.write(chunk);
  });
  entry.on('end', () => {
    file.end();
  });
}

const kinds: { readonly [type: string]: string } = {
  SymbolicLink: 'is a symbolic link; pack the file it leads to instead',
  Link: 'is a hard link; pack the file it leads to instead',
  CharacterDevice: 'is a device; leave it out',
  BlockDevice: 'is a device; leave it out',
  FIFO: 'is a pipe; leave it out',
};

function oddEntry(entry: ReadEntry): Error {
  const what = entry.meta ? 'has attributes of more than 1 MB; pack it without them' : kinds[entry.type];
  return refusal(
    `The tar archive's entry ${shown(entry.path)} ${what ?? 'is neither a plain file nor a folder; leave it out'}.`,
  );
}

/** GNU's sparse files come as a plain file with a map in it, which nobody would want to see on a page. */
function metaReader(limits: ArchiveLimits): (text: string) => void {
  // Long names and attributes come before an entry, in up to three pieces; endless ones come before none.
  let left = 3 * limits.entries;
  return (text) => {
    left -= 1;
    if (left < 0) throw refusal('The tar archive holds too many extended headers; pack the files again.');
    if (!text.includes('GNU.sparse.')) return;
    const name = /GNU\.sparse\.name=(.*)/.exec(text)?.[1] ?? '';
    throw refusal(`The tar archive's entry ${shown(name)} is a sparse file; pack it without --sparse.`);
  };
}

function damaged(error: Error): Error {
  const header: unknown = 'header' in error ? error.header : undefined;
  const path = typeof header === 'object' && header !== null && 'path' in header ? String(header.path) : '';
  const where = path === '' ? '' : ` at the entry ${shown(path)}`;
  const why = error.message.replace(/^TAR_[A-Z_]+: /, '');
  return refusal(`The tar archive is damaged${where} (${why}); pack the files again.`, error);
}
