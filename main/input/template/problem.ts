/** TemplateProblem: an error in a template, in words for its author. It becomes a Failure outside the subprocess. */

/** A position in a text; line and column count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** `message` is a clause without a capital letter or full stop. The place may be added later, by `placed`. */
export class TemplateProblem extends Error {
  readonly place: Place | undefined;

  constructor(clause: string, place?: Place) {
    super(clause);
    this.name = 'TemplateProblem';
    this.place = place;
  }
}

/** Runs a function that does not know its place in the template, and adds the place to a problem that it throws. */
export function placed<T>(place: Place, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof TemplateProblem && error.place === undefined
      ? new TemplateProblem(error.message, place)
      : error;
  }
}

/** Returns the place of an offset in a text. */
export function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Quotes a text for a message, shortened to 60 characters. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `'${line.length > 60 ? `${line.slice(0, 57)}...` : line}'`;
}

/** Quotes the text around a place for a message. */
export function excerpt(text: string, { line, column }: Place): string {
  const fullLine = text.split('\n', line)[line - 1] ?? '';
  return quoted(fullLine.slice(Math.max(0, column - 21), column + 30));
}
