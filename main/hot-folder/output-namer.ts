/** Names the outputs of a hot folder's sources. */
import { byRank, numberedName, type SourceName } from './source-names.ts';

/** Time for which the name of an output stays reserved after its source was moved or deleted. */
const reservedMs = 60_000;

interface NamedOutput {
  readonly output: string;
  /** The `now` of the last scan that found the source. */
  readonly seenAt: number;
  /** Whether a conversion to this output has started. After that, no other source can take the name. */
  readonly isStarted: boolean;
}

/**
 * Remembers the names from scan to scan. Otherwise, when a page is converted and moved away, a waiting source with the same stem
 * would get the name of the page's output, and replace that output. Callers pass the time in milliseconds; this class does not read
 * the clock.
 */
export class OutputNamer {
  /** By source name. */
  readonly #named = new Map<string, NamedOutput>();

  /**
   * Returns the output names by source name. No two are equal, even where file names are case-insensitive. Until
   * its conversion starts, a source may lose its name to a source of higher precedence. From then on, the name stays reserved while
   * the source is in the folder, and for a minute after that.
   */
  namesFor(sources: readonly SourceName[], extension: string, now: number): ReadonlyMap<string, string> {
    const present = new Set(sources.map(({ name }) => name));
    for (const [name, { output, seenAt, isStarted }] of this.#named) {
      const isReserved = present.has(name) || (isStarted && now - seenAt < reservedMs);
      if (!isReserved || !output.endsWith(`.${extension}`)) this.#named.delete(name);
    }
    const started = [...this.#named.values()].filter(({ isStarted }) => isStarted);
    const taken = new Set(started.map(({ output }) => output.toLowerCase()));
    const names = new Map<string, string>();
    for (const source of sources.toSorted(byRank)) {
      const output = this.#nameOf(source, extension, taken);
      taken.add(output.toLowerCase());
      names.set(source.name, output);
      const isStarted = this.#named.get(source.name)?.isStarted ?? false;
      this.#named.set(source.name, { output, seenAt: now, isStarted });
    }
    return names;
  }

  /** Reserves the output name for the source, because its conversion starts. A later scan may have given it another name. */
  markStarted(source: string, output: string, now: number): void {
    this.#named.set(source, { output, seenAt: now, isStarted: true });
  }

  #nameOf({ name, stem }: SourceName, extension: string, taken: ReadonlySet<string>): string {
    const named = this.#named.get(name);
    if (named !== undefined && (named.isStarted || !taken.has(named.output.toLowerCase())))
      return named.output;
    return firstFree([stem, name], extension, taken);
  }
}

function firstFree(stems: readonly string[], extension: string, taken: ReadonlySet<string>): string {
  const found = stems.find((stem) => !taken.has(`${stem}.${extension}`.toLowerCase()));
  if (found !== undefined) return `${found}.${extension}`;
  for (let number = 2; ; number += 1) {
    const name = numberedName(`${stems.at(-1) ?? ''}.${extension}`, number);
    if (!taken.has(name.toLowerCase())) return name;
  }
}
