/** Decides which file names in a hot folder are sources. The functions have no side effects. */

export interface SourceName {
  readonly name: string;
  /** The name without its extension. */
  readonly stem: string;
  readonly isArchive: boolean;
  /** Of two sources with the same stem, the one with the lower rank gets the plain output name. */
  readonly rank: number;
}

const pageExtensions = ['.html', '.htm', '.xhtml', '.xht', '.svg'];
const archiveExtensions = ['.zip', '.tar.gz', '.tgz', '.tar.bz2', '.tbz2', '.tar', '.html.gz', '.htm.gz'];

/** All extensions, in order of precedence. */
const sourceExtensions = [...pageExtensions, ...archiveExtensions];
/** With their ranks, the longest first: `.html.gz` before `.gz`. */
const rankedExtensions = sourceExtensions
  .map((extension, rank) => ({ extension, rank }))
  .sort((left, right) => right.extension.length - left.extension.length);

/** Suffixes of files that browsers, rsync, WinSCP and scanners create during a transfer. */
const partialSuffixes = ['.part', '.partial', '.crdownload', '.download', '.filepart', '.tmp'];

/**
 * Returns the source with this file name. Returns undefined for other file types, and for temporary files of editors, office
 * programs and rsync.
 */
export function sourceOf(name: string): SourceName | undefined {
  if (/^[.~#]/.test(name)) return undefined;
  const lower = name.toLowerCase();
  const kind = rankedExtensions.find(({ extension }) => lower.endsWith(extension));
  if (kind === undefined || kind.extension.length === name.length) return undefined;
  const { extension, rank } = kind;
  return { name, stem: name.slice(0, -extension.length), isArchive: rank >= pageExtensions.length, rank };
}

/**
 * Returns the sources among the file names, without those for which a partial file shows that the transfer is incomplete. Looks at each
 * name once, because the main thread does this in one step, and a folder may have very many files.
 */
export function completeSources(names: readonly string[]): SourceName[] {
  const incomplete = new Set<string>();
  const sources: SourceName[] = [];
  for (const name of names) {
    const suffix = partialSuffixes.find((ending) => name.endsWith(ending));
    if (suffix !== undefined) incomplete.add(name.slice(0, -suffix.length));
    const source = sourceOf(name);
    if (source !== undefined) sources.push(source);
  }
  return incomplete.size === 0 ? sources : sources.filter(({ name }) => !incomplete.has(name));
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
  return left.rank - right.rank || (left.name < right.name ? -1 : 1);
}
