/** Caches Intl's formatters: creating a formatter takes longer than formatting a hundred values. */
import { TemplateProblem } from '../problem.ts';

const maxCached = 200;

export class Formats {
  readonly #locale: string;
  readonly #numbers = new Map<string, Intl.NumberFormat>();
  readonly #dates = new Map<string, Intl.DateTimeFormat>();

  constructor(locale: string) {
    this.#locale = locale;
  }

  number(options: Intl.NumberFormatOptions, locale = this.#locale): Intl.NumberFormat {
    return cached(this.#numbers, [locale, options], () => new Intl.NumberFormat(locale, options));
  }

  date(options: Intl.DateTimeFormatOptions, locale = this.#locale): Intl.DateTimeFormat {
    return cached(this.#dates, [locale, options], () => new Intl.DateTimeFormat(locale, options));
  }
}

function cached<T>(cache: Map<string, T>, key: readonly unknown[], make: () => T): T {
  const name = JSON.stringify(key);
  const existing = cache.get(name);
  if (existing !== undefined) return existing;
  if (cache.size >= maxCached) cache.clear();
  const created = createFormatter(make);
  cache.set(name, created);
  return created;
}

/** Calls `make`. Turns Intl's errors, such as "Invalid currency code : EU", into TemplateProblems. */
function createFormatter<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) {
      throw new TemplateProblem(`the format is not allowed: ${error.message.replace(/ : /, ': ')}`);
    }
    throw error;
  }
}
