/** What makes each job's answer its own: a word that no other job has, and a colour that no job near it has. */
import type { Colour } from '../support/picture.ts';

const pattern = /JOB\d{7}X/g;

export function wordOf(number: number): string {
  return `JOB${String(number).padStart(7, '0')}X`;
}

/** Every job's words in a text, each once. */
export function wordsIn(text: string): string[] {
  return [...new Set(text.match(pattern))];
}

/** 8 apart in a channel, so that JPEG's rounding makes none into another; the same again after 32,768 jobs. */
export function colourOf(number: number): Colour {
  return [(number % 32) * 8, ((number >> 5) % 32) * 8, ((number >> 10) % 32) * 8];
}

export function cssColour(colour: Colour): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
