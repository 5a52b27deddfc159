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
    const taken = new TakenNames(started.map(({ output }) => output));
    const names = new Map<string, string>();
    for (const source of sources.toSorted(byRank)) {
      const output = this.#nameOf(source, extension, taken);
      taken.add(output);
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

  #nameOf({ name, stem }: SourceName, extension: string, taken: TakenNames): string {
    const named = this.#named.get(name);
    if (named !== undefined && (named.isStarted || !taken.has(named.output))) return named.output;
    return taken.firstFree([stem, name], extension);
  }
}

/** The output names of one scan. Compares without case. */
class TakenNames {
  readonly #names: Set<string>;
  /** The lowest number that may be free, by name. Thousands of files may have names that differ only in case. */
  readonly #nextNumbers = new Map<string, number>();

  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => name.toLowerCase()));
  }

  has(name: string): boolean {
    return this.#names.has(name.toLowerCase());
  }

  add(name: string): void {
    this.#names.add(name.toLowerCase());
  }

  firstFree(stems: readonly string[], extension: string): string {
    const found = stems.find((stem) => !this.has(`${stem}.${extension}`));
    if (found !== undefined) return `${found}.${extension}`;
    const plain = `${stems.at(-1) ?? ''}.${extension}`;
    const key = plain.toLowerCase();
    for (let number = this.#nextNumbers.get(key) ?? 2; ; number += 1) {
      const name = numberedName(plain, number);
      if (this.has(name)) continue;
      this.#nextNumbers.set(key, number + 1);
      return name;
    }
  }
}
