/** Markers that identify the response to a job: a unique word, and a colour that no nearby job has. */
import type { Colour } from '../support/output/image.ts';

const pattern = /JOB\d{7}X/g;

export function wordOf(number: number): string {
  return `JOB${String(number).padStart(7, '0')}X`;
}

/** Returns the secret of a job, which a debug log masks, unlike its word. */
export function secretOf(word: string): string {
  return word.replace('JOB', 'SECRET');
}

/** Returns the secrets of jobs in a string. */
export function secretsIn(text: string): readonly string[] {
  return text.match(/SECRET\d{7}X/g) ?? [];
}

/** Returns the distinct words of jobs in a string. */
export function wordsIn(text: string): string[] {
  return [...new Set(text.match(pattern))];
}

/**
 * Returns the colour of a job. Colours differ by at least 8 in a channel, so that JPEG compression does not make two colours equal,
 * and repeat after 32,768 jobs.
 */
export function colourOf(number: number): Colour {
  return [(number % 32) * 8, ((number >> 5) % 32) * 8, ((number >> 10) % 32) * 8];
}

export function cssColour(colour: Colour): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
