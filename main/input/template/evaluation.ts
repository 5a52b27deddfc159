/** The state while one template is filled, for both engines: options, functions, notes, and the handling of missing values. */
import { functions } from './functions/table.ts';
import { Formats } from './functions/formats.ts';
import type { NamedArguments } from './functions/call.ts';
import { checkList, checkText } from './output.ts';
import { withPosition, TemplateProblem, type SourcePosition } from './problem.ts';
import { escapeHtml, listOfOne, SafeMarkup, MissingValue, textOf } from './values.ts';

const maxNotes = 20;

export class TemplateEvaluation {
  readonly formats: Formats;
  readonly autoEscape: boolean;
  /** Whether the data is XML, where a single element or text may be a list of one. */
  readonly isXml: boolean;
  readonly #ignoreUndefined: boolean;
  readonly #notes = new Set<string>();

  constructor(options: { locale: string; autoEscape: boolean; ignoreUndefined: boolean; isXml: boolean }) {
    this.formats = new Formats(options.locale);
    this.autoEscape = options.autoEscape;
    this.isXml = options.isXml;
    this.#ignoreUndefined = options.ignoreUndefined;
  }

  /** Messages about ignored missing values, at most 20. */
  get notes(): readonly string[] {
    return [...this.#notes];
  }

  /** Returns the value. For a MissingValue, throws a TemplateProblem, or returns undefined if data_ignore_undefined is set. */
  required(value: unknown): unknown {
    if (!(value instanceof MissingValue)) return value;
    if (!this.#ignoreUndefined) {
      throw new TemplateProblem(
        `the data has no value '${value.name}'; add it, give it a default, test for it first, or send data_ignore_undefined=true`,
        value.position,
      );
    }
    if (this.#notes.size < maxNotes)
      this.#notes.add(
        `The data has no value '${value.name}' (line ${value.position.line}); nothing was printed.`,
      );
    return undefined;
  }

  /** Returns the text to print for a value. If `escape` is set, escapes the text unless the value is SafeMarkup. */
  printedText(value: unknown, escape: boolean): string {
    const present = this.required(value);
    const text = textOf(present);
    return escape && !(present instanceof SafeMarkup) ? escapeHtml(text) : text;
  }

  /** Calls the template function `name`. Adds the position of the call to a TemplateProblem that the function throws. */
  call(
    name: string,
    input: { args: readonly unknown[]; named: NamedArguments; position: SourcePosition },
  ): unknown {
    const row = functions.get(name);
    if (row === undefined) throw new TemplateProblem(`there is no function '${name}'`, input.position);
    const { args, named } = row.acceptsMissing === true ? input : this.#withoutMissing(input);
    const result = withPosition(input.position, () => {
      const value = row.run({ name, args, named, formats: this.formats, isXml: this.isXml });
      if (typeof value === 'string') checkText(value.length);
      if (Array.isArray(value)) checkList(value.length);
      return value;
    });
    // A function without a result (lookup, or first of an empty list) returns a missing value.
    return result === undefined ? new MissingValue(describeCall(name, args), input.position) : result;
  }

  /**
   * Returns the members over which a loop iterates if the value is an element or a text of XML data; undefined for any other value. An
   * empty element has no members.
   */
  loopedElements(value: unknown): readonly unknown[] | undefined {
    return this.isXml && value === '' ? [] : listOfOne(value, this.isXml);
  }

  #withoutMissing({ args, named }: { args: readonly unknown[]; named: NamedArguments }) {
    return {
      args: args.map((value) => this.required(value)),
      named: new Map([...named].map(([key, value]) => [key, this.required(value)])),
    };
  }
}

function describeCall(name: string, args: readonly unknown[]): string {
  const key = name === 'lookup' ? args[1] : undefined;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : `${name}(...)`;
}
