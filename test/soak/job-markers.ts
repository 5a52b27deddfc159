/** Identifies the response of each job: a unique word, and a colour that no nearby job has. */
import type { Colour } from '../support/image.ts';

const pattern = /JOB\d{7}X/g;

export function wordOf(number: number): string {
  return `JOB${String(number).padStart(7, '0')}X`;
}

/** The distinct words of jobs in a text. */
export function wordsIn(text: string): string[] {
  return [...new Set(text.match(pattern))];
}

/** 8 apart in each channel, so that JPEG rounding cannot confuse two colours; colours repeat after 32,768 jobs. */
export function colourOf(number: number): Colour {
  return [(number % 32) * 8, ((number >> 5) % 32) * 8, ((number >> 10) % 32) * 8];
}

export function cssColour(colour: Colour): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
