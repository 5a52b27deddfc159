/** What is wrong with a template or its data, in words for its author. It becomes a Failure outside the worker. */

/** Both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** `message` is a clause without a capital or a full stop; whoever knows the place adds it. */
export class TemplateProblem extends Error {
  readonly place: Place | undefined;

  constructor(clause: string, place?: Place) {
    super(clause);
    this.name = 'TemplateProblem';
    this.place = place;
  }
}

/** Runs what knows no place, so that its problem gets one. */
export function placed<T>(place: Place, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof TemplateProblem && error.place === undefined
      ? new TemplateProblem(error.message, place)
      : error;
  }
}

/** Where an offset lies in a text. */
export function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** A piece of text short enough for a message. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `'${line.length > 60 ? `${line.slice(0, 57)}...` : line}'`;
}

/** The line at a place, cut around the column, for a message. */
export function excerpt(text: string, { line, column }: Place): string {
  const whole = text.split('\n', line)[line - 1] ?? '';
  return quoted(whole.slice(Math.max(0, column - 21), column + 30));
}
