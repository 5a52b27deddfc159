/** Errors in a template, described for its author, and their positions. Outside the subprocess they become Failures. */

/** A position in a string; line and column count from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** `message` is a clause without a capital letter or full stop. `withPosition` may add the position later. */
export class TemplateProblem extends Error {
  readonly position: SourcePosition | undefined;

  constructor(clause: string, position?: SourcePosition) {
    super(clause);
    this.name = 'TemplateProblem';
    this.position = position;
  }
}

/** Calls `run`. If it throws a TemplateProblem without a position, adds the position. */
export function withPosition<T>(position: SourcePosition, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof TemplateProblem && error.position === undefined
      ? new TemplateProblem(error.message, position)
      : error;
  }
}

/** Returns the line and column of an offset in a string. */
export function positionOf(text: string, offset: number): SourcePosition {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Quotes a string for a message, shortened to 60 characters. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `'${line.length > 60 ? `${line.slice(0, 57)}...` : line}'`;
}

/** Quotes the text around a position for a message. */
export function excerpt(text: string, { line, column }: SourcePosition): string {
  const fullLine = text.split('\n', line)[line - 1] ?? '';
  return quoted(fullLine.slice(Math.max(0, column - 21), column + 30));
}
