/** Formats terminal output, and cleans up input from a terminal or a file. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/**
 * Removes the line break that editors and `echo` append to a secret. Trailing spaces are kept, because they may be part of the
 * secret.
 */
export function trimLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/** Writes a note to standard error, so that it is not part of the command's output. */
export function printNote(line: string): void {
  process.stderr.write(`platen: ${line}\n`);
}

/** An invalid command line. The message names what is wrong and what to write instead. The exit code is 2. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}

/** Prints a line of output. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
