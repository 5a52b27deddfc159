/** Measures each reader on each family of texts. Names each case before it begins, because it may never end. */
import { readers, type Reader } from './readers.ts';

/** Repeated in adversarial texts: separators, near-misses, and beginnings without an end. */
const pieces = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  '"',
  '""',
  "'",
  ',',
  ';',
  ':',
  '=',
  '-',
  '.',
  '/',
  '\\',
  '%',
  '#',
  '?',
  '&',
  '@',
  '|',
  '!',
  '[',
  '{',
  '{{',
  '(',
  '<',
  'a',
  '0',
  '\0',
  'é',
  '\ud800',
  '()',
  '[]',
  '{}',
  '}}',
  '<!--',
  '<!---->',
  '<!-- --> ',
  '<!doctype svg',
  '<svg ',
  '<meta ',
  '<meta charset',
  '<style ',
  ' on',
  '&#',
  'src=',
  'url(',
  '<?xml ',
  '0.',
  '1-',
  '1,',
  '-1,',
  'a=',
  'a=b;',
  'a:b\n',
  '1-,odd,',
  '"a",',
  'a,\n',
  '{"a":',
  '[1,',
  '[[',
  '\\"',
  '%s',
  '%41',
  'a/',
  '../',
  'http://',
  'a@',
  ':a@',
  '?token=',
  'password=',
  'platen://job/',
  'platen-header-footer-a',
  '\n    at ',
  '\n at a',
  '{{a',
  '{{ ',
  '=\t',
  'charset=',
  '<thead></thead>',
  // Combining marks that have to be sorted.
  '\u0316\u0301',
];
/** Ends each text, so that a pattern which must reach its end fails. */
const end = '\0x';
/** Each eight times as long as the one before. */
const lengths = [10_000, 80_000, 640_000];
const ratio = 8;
/** Quadratic time would grow 64 times. Times below the floors are noise. */
const maxGrowth = 4 * ratio;
const minMs = 1;
const ignoredMs = 150;

void measureAll();

async function measureAll(): Promise<void> {
  for (const reader of readers)
    for (const { name, textOf } of familiesFor(reader)) {
      await report({ name: `${reader.name} on ${name}` });
      const problem = await growthProblem(reader, textOf);
      if (problem !== undefined) await report({ problem });
    }
  process.disconnect();
}

/**
 * Sends a message and waits until it has been written. If the parent is slow, the channel is full and Node keeps further messages until
 * the event loop turns, which the readers never let it do.
 */
function report(message: { readonly name: string } | { readonly problem: string }): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => {
      resolve();
    });
  });
}

interface Family {
  readonly name: string;
  readonly textOf: (length: number) => string;
}

function familiesFor({ starts = [] }: Reader): Family[] {
  return ['', ...starts].flatMap((start) =>
    pieces.map((piece) => ({
      name: `${JSON.stringify(start)} and many ${JSON.stringify(piece)}`,
      textOf: (length) => start + piece.repeat(Math.ceil(length / piece.length)) + end,
    })),
  );
}

async function growthProblem(
  reader: Reader,
  textOf: (length: number) => string,
): Promise<string | undefined> {
  let shorterMs = 0;
  for (const [index, length] of lengths.entries()) {
    if (length > (reader.maxLength ?? Infinity)) break;
    let ms = await timeOf(reader, textOf(length));
    if (ms > ignoredMs)
      for (
        let attempt = 0;
        attempt < 4 && index > 0 && ms > maxGrowth * Math.max(minMs, shorterMs);
        attempt += 1
      ) {
        // The machine may have been busy.
        ms = Math.min(ms, await timeOf(reader, textOf(length)));
        shorterMs = Math.max(shorterMs, await timeOf(reader, textOf(length / ratio)));
      }
    if (index > 0 && ms > ignoredMs && ms > maxGrowth * Math.max(minMs, shorterMs))
      return `${length} characters took ${Math.round(ms)} ms, ${length / ratio} took ${Math.round(shorterMs)} ms`;
    shorterMs = ms;
  }
  return undefined;
}

async function timeOf({ read }: Reader, text: string): Promise<number> {
  const began = process.cpuUsage();
  try {
    await read(text);
  } catch {
    // Most of the texts are refused.
  }
  // Time in the system is that of page faults: it depends on the machine and grows in steps.
  return process.cpuUsage(began).user / 1000;
}
