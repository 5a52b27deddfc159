/** What one filling of a template knows and both engines use: options, functions, notes, and the rule for missing values. */
import { functions } from './functions/table.ts';
import { Formats } from './functions/formats.ts';
import type { Named } from './functions/call.ts';
import { checkList, checkText } from './output.ts';
import { placed, TemplateProblem, type Place } from './problem.ts';
import { escapeHtml, Markup, Missing, textOf } from './values.ts';

const mostNotes = 20;

export class Evaluation {
  readonly formats: Formats;
  readonly autoEscape: boolean;
  readonly #ignoreUndefined: boolean;
  readonly #notes = new Set<string>();

  constructor(options: { locale: string; autoEscape: boolean; ignoreUndefined: boolean }) {
    this.formats = new Formats(options.locale);
    this.autoEscape = options.autoEscape;
    this.#ignoreUndefined = options.ignoreUndefined;
  }

  get notes(): readonly string[] {
    return [...this.#notes];
  }

  /** The value, where one is needed: a missing one is an error, or with data_ignore_undefined nothing. */
  needed(value: unknown): unknown {
    if (!(value instanceof Missing)) return value;
    if (!this.#ignoreUndefined) {
      throw new TemplateProblem(
        `the data has no value '${value.name}'; add it, give it a default, test for it first, or send data_ignore_undefined=true`,
        value.place,
      );
    }
    if (this.#notes.size < mostNotes)
      this.#notes.add(
        `The data has no value '${value.name}' (line ${value.place.line}); nothing was printed.`,
      );
    return undefined;
  }

  /** What is printed for a value: escaped if asked for, unless it is HTML already. */
  printed(value: unknown, escape: boolean): string {
    const sure = this.needed(value);
    const text = textOf(sure);
    return escape && !(sure instanceof Markup) ? escapeHtml(text) : text;
  }

  /** Calls a function of the table; its complaint gets the place of the call. */
  call(name: string, input: { args: readonly unknown[]; named: Named; place: Place }): unknown {
    const row = functions.get(name);
    if (row === undefined) throw new TemplateProblem(`there is no function '${name}'`, input.place);
    const sure = row.takesMissing === true ? input : this.#withoutMissing(input);
    const result = placed(input.place, () => {
      const made = row.run({ name, args: sure.args, named: sure.named, formats: this.formats });
      if (typeof made === 'string') checkText(made.length);
      if (Array.isArray(made)) checkList(made.length);
      return made;
    });
    // What looks and finds nothing (lookup, first of an empty list) is missing like any other value.
    return result === undefined ? new Missing(described(name, sure.args), input.place) : result;
  }

  #withoutMissing({ args, named }: { args: readonly unknown[]; named: Named }) {
    return {
      args: args.map((value) => this.needed(value)),
      named: new Map([...named].map(([key, value]) => [key, this.needed(value)])),
    };
  }
}

function described(name: string, args: readonly unknown[]): string {
  const key = name === 'lookup' ? args[1] : undefined;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : `${name}(...)`;
}
