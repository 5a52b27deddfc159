/** A line for whoever typed the command, beside what it prints. */

export function sayAside(line: string): void {
  process.stderr.write(`platen: ${line}\n`);
}
