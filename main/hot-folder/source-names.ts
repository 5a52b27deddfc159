/** Decides which file names in a hot folder are sources. The functions have no side effects. */

export interface SourceName {
  readonly name: string;
  /** The name without its extension. */
  readonly stem: string;
  readonly isArchive: boolean;
}

const pageExtensions = ['.html', '.htm', '.xhtml', '.xht', '.svg'];
const archiveExtensions = ['.zip', '.tar.gz', '.tgz', '.tar.bz2', '.tbz2', '.tar', '.html.gz', '.htm.gz'];

/** All extensions, in order of precedence: of two sources with the same stem, the earlier extension gets the plain output name. */
const sourceExtensions = [...pageExtensions, ...archiveExtensions];

/** Suffixes of files that browsers, rsync, WinSCP and scanners create during a transfer. */
const partialSuffixes = ['.part', '.partial', '.crdownload', '.download', '.filepart', '.tmp'];

/**
 * Returns the source with this file name. Returns undefined for other file types, and for temporary files of editors, office
 * programs and rsync.
 */
export function sourceOf(name: string): SourceName | undefined {
  if (/^[.~#]/.test(name)) return undefined;
  const lower = name.toLowerCase();
  const kind = sourceExtensions
    .filter((extension) => lower.endsWith(extension))
    .sort((left, right) => right.length - left.length)[0];
  if (kind === undefined || kind.length === name.length) return undefined;
  return { name, stem: name.slice(0, -kind.length), isArchive: archiveExtensions.includes(kind) };
}

/** Returns the sources among the file names, without those for which a partial file shows that the transfer is incomplete. */
export function completeSources(names: readonly string[]): SourceName[] {
  const all = new Set(names);
  const isIncomplete = ({ name }: SourceName) => partialSuffixes.some((ending) => all.has(name + ending));
  return names.flatMap((name) => sourceOf(name) ?? []).filter((source) => !isIncomplete(source));
}

/**
 * Returns the name with a number: `a.pdf`, `a (2).pdf`, `a (3).pdf`. The number precedes the whole extension, as in `a (2).tar.gz`.
 */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const stem = sourceOf(name)?.stem ?? name.replace(/(?<=.)\.[^.]{1,10}$/u, '');
  return `${stem} (${number})${name.slice(stem.length)}`;
}

/** Compares two sources by the precedence of their extensions, then by name. */
export function byRank(left: SourceName, right: SourceName): number {
  return rankOf(left) - rankOf(right) || (left.name < right.name ? -1 : 1);
}

function rankOf({ name, stem }: SourceName): number {
  return sourceExtensions.indexOf(name.slice(stem.length).toLowerCase());
}
