/** The state of filling one template, for both engines: options, functions, notes, and the handling of missing values. */
import { functions } from './functions/table.ts';
import { Formats } from './functions/formats.ts';
import type { Named } from './functions/call.ts';
import { checkList, checkText } from './output.ts';
import { placed, TemplateProblem, type Place } from './problem.ts';
import { escapeHtml, Markup, Missing, textOf } from './values.ts';

const maxNotes = 20;

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

  /** Returns a value that is required: throws for a missing one, or with data_ignore_undefined returns undefined. */
  needed(value: unknown): unknown {
    if (!(value instanceof Missing)) return value;
    if (!this.#ignoreUndefined) {
      throw new TemplateProblem(
        `the data has no value '${value.name}'; add it, give it a default, test for it first, or send data_ignore_undefined=true`,
        value.place,
      );
    }
    if (this.#notes.size < maxNotes)
      this.#notes.add(
        `The data has no value '${value.name}' (line ${value.place.line}); nothing was printed.`,
      );
    return undefined;
  }

  /** Returns the text to print for a value; if `escape` is set, escapes it unless it is Markup. */
  printed(value: unknown, escape: boolean): string {
    const present = this.needed(value);
    const text = textOf(present);
    return escape && !(present instanceof Markup) ? escapeHtml(text) : text;
  }

  /** Calls a function of the table. Its problems get the place of the call. */
  call(name: string, input: { args: readonly unknown[]; named: Named; place: Place }): unknown {
    const row = functions.get(name);
    if (row === undefined) throw new TemplateProblem(`there is no function '${name}'`, input.place);
    const { args, named } = row.takesMissing === true ? input : this.#withoutMissing(input);
    const result = placed(input.place, () => {
      const value = row.run({ name, args, named, formats: this.formats });
      if (typeof value === 'string') checkText(value.length);
      if (Array.isArray(value)) checkList(value.length);
      return value;
    });
    // A lookup without a result (lookup, first of an empty list) is a missing value.
    return result === undefined ? new Missing(describeCall(name, args), input.place) : result;
  }

  #withoutMissing({ args, named }: { args: readonly unknown[]; named: Named }) {
    return {
      args: args.map((value) => this.needed(value)),
      named: new Map([...named].map(([key, value]) => [key, this.needed(value)])),
    };
  }
}

function describeCall(name: string, args: readonly unknown[]): string {
  const key = name === 'lookup' ? args[1] : undefined;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : `${name}(...)`;
}
