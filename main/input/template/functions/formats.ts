/** Intl's formatters, kept: making one takes longer than using it a hundred times. */
import { TemplateProblem } from '../problem.ts';

const mostKept = 200;

export class Formats {
  readonly #locale: string;
  readonly #numbers = new Map<string, Intl.NumberFormat>();
  readonly #dates = new Map<string, Intl.DateTimeFormat>();

  constructor(locale: string) {
    this.#locale = locale;
  }

  number(options: Intl.NumberFormatOptions, locale = this.#locale): Intl.NumberFormat {
    return kept(this.#numbers, [locale, options], () => new Intl.NumberFormat(locale, options));
  }

  date(options: Intl.DateTimeFormatOptions, locale = this.#locale): Intl.DateTimeFormat {
    return kept(this.#dates, [locale, options], () => new Intl.DateTimeFormat(locale, options));
  }
}

function kept<T>(cache: Map<string, T>, key: readonly unknown[], make: () => T): T {
  const name = JSON.stringify(key);
  const known = cache.get(name);
  if (known !== undefined) return known;
  if (cache.size >= mostKept) cache.clear();
  const made = intl(make);
  cache.set(name, made);
  return made;
}

/** Intl's errors name the option and its value: "Invalid currency code : EU". */
function intl<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) {
      throw new TemplateProblem(`the format is not allowed: ${error.message.replace(/ : /, ': ')}`);
    }
    throw error;
  }
}
