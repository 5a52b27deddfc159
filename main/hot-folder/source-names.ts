/** Which names in a hot folder are sources, and what their outputs are called. Pure. */

export interface SourceName {
  readonly name: string;
  /** Without what says its kind. */
  readonly stem: string;
  readonly isArchive: boolean;
}

const pages = ['.html', '.htm', '.xhtml', '.xht', '.svg'];
const archives = ['.zip', '.tar.gz', '.tgz', '.tar.bz2', '.tbz2', '.tar', '.html.gz', '.htm.gz'];

/** Of two sources that would have one output, the earlier kind keeps the plain name. */
const kinds = [...pages, ...archives];

/** What programs put beside a file they are still bringing: browsers, rsync, WinSCP, scanners. */
const companions = ['.part', '.partial', '.crdownload', '.download', '.filepart', '.tmp'];

/** Undefined for what is no source: other kinds, and the files editors, office programs and rsync keep for themselves. */
export function sourceOf(name: string): SourceName | undefined {
  if (/^[.~#]/.test(name)) return undefined;
  const lower = name.toLowerCase();
  const kind = kinds.filter((one) => lower.endsWith(one)).sort((one, other) => other.length - one.length)[0];
  if (kind === undefined || kind.length === name.length) return undefined;
  return { name, stem: name.slice(0, -kind.length), isArchive: archives.includes(kind) };
}

/** The sources among the names of a folder that nobody is still bringing, as far as names tell. */
export function sourcesAmong(names: readonly string[]): SourceName[] {
  const all = new Set(names);
  const isComing = ({ name }: SourceName) => companions.some((ending) => all.has(name + ending));
  return names.flatMap((name) => sourceOf(name) ?? []).filter((source) => !isComing(source));
}

/** The outputs' names by their sources': no two are the same, also where `A` and `a` are one. */
export function outputNames(sources: readonly SourceName[], extension: string): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const named = new Map<string, string>();
  for (const { name, stem } of sources.toSorted(byRank)) {
    const output = firstFree([stem, name], extension, taken);
    taken.add(output.toLowerCase());
    named.set(name, output);
  }
  return named;
}

function firstFree(stems: readonly string[], extension: string, taken: ReadonlySet<string>): string {
  const found = stems.find((stem) => !taken.has(`${stem}.${extension}`.toLowerCase()));
  if (found !== undefined) return `${found}.${extension}`;
  for (let number = 2; ; number += 1) {
    const name = numbered(`${stems.at(-1) ?? ''}.${extension}`, number);
    if (!taken.has(name.toLowerCase())) return name;
  }
}

/** `a.pdf`, `a (2).pdf`, `a (3).pdf`; of `a.tar.gz` the whole ending counts. */
export function numbered(name: string, number: number): string {
  if (number === 1) return name;
  const stem = sourceOf(name)?.stem ?? name.replace(/(?<=.)\.[^.]{1,10}$/u, '');
  return `${stem} (${number})${name.slice(stem.length)}`;
}

function byRank(one: SourceName, other: SourceName): number {
  return rankOf(one) - rankOf(other) || (one.name < other.name ? -1 : 1);
}

function rankOf({ name, stem }: SourceName): number {
  return kinds.indexOf(name.slice(stem.length).toLowerCase());
}
