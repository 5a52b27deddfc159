/** Dates by pattern: `dd.MM.yyyy` as in most languages, `DD.MM.YYYY` as in moment.js, `%d.%m.%Y` as in Python. */
import type { Formats } from './formats.ts';

/** The formatter of a locale and a time zone. */
interface Wanted {
  readonly timeZone: string;
  readonly locale: string | undefined;
  readonly formats: Formats;
}

/** `[text]` and `'text'` stand for themselves; letters that are no token too. */
export function byPattern(instant: number, pattern: string, wanted: Wanted): string {
  const given = pattern === 'iso' ? 'yyyy-MM-dd' : pattern;
  const facts = factsOf(instant, wanted);
  const read = (token: string) => tokens[token]?.(facts) ?? token;
  if (given.includes('%'))
    return given.replace(/%([a-zA-Z%])/g, (all, letter: string) => {
      const token = python[letter];
      return token === undefined ? (letter === '%' ? '%' : all) : read(token);
    });
  return given.replace(
    /\[([^\]]*)\]|'([^']*)'|y{4}|Y{4}|yy|YY|M{1,4}|E{3,4}|d{1,4}|D{1,2}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|SSS|A|a/g,
    (token: string, bracketed?: string, quoted?: string) => bracketed ?? quoted ?? read(token),
  );
}

interface Facts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  readonly milliseconds: string;
  /** A word in the document's language, with a day beside it where the language needs the genitive. */
  readonly word: (part: 'month' | 'weekday', length: 'long' | 'short') => string;
}

function factsOf(instant: number, wanted: Wanted): Facts {
  const wall = new Date(wallClock(instant, wanted));
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    year: String(wall.getUTCFullYear()).padStart(4, '0'),
    month: two(wall.getUTCMonth() + 1),
    day: two(wall.getUTCDate()),
    hour: two(wall.getUTCHours()),
    minute: two(wall.getUTCMinutes()),
    second: two(wall.getUTCSeconds()),
    milliseconds: String(wall.getUTCMilliseconds()).padStart(3, '0'),
    word: (part, length) => {
      const beside: Intl.DateTimeFormatOptions = part === 'month' ? { day: 'numeric' } : {};
      const found = formatter(wanted, { ...beside, [part]: length }).formatToParts(instant);
      return found.find(({ type }) => type === part)?.value ?? '';
    },
  };
}

/** The instant at which clocks in UTC show what clocks in the wanted zone show now. */
function wallClock(instant: number, wanted: Wanted): number {
  if (wanted.timeZone === 'UTC') return instant;
  // English, because offsets have other letters and digits in other languages.
  const zone = formatter({ ...wanted, locale: 'en-US' }, { timeZoneName: 'longOffset' });
  const shown = zone.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
    /([+\u2212-])(\d\d):(\d\d)(?::(\d\d))?/.exec(shown) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000;
  return sign === '+' ? instant + offset : instant - offset;
}

function formatter({ timeZone, locale, formats }: Wanted, options: Intl.DateTimeFormatOptions) {
  return formats.date({ ...options, timeZone }, locale);
}

const plain = (digits: string) => String(Number(digits));
const twelve = (hour: string) => String(Number(hour) % 12 || 12);

const tokens: Readonly<Record<string, (facts: Facts) => string>> = {
  yyyy: ({ year }) => year,
  YYYY: ({ year }) => year,
  yy: ({ year }) => year.slice(-2),
  YY: ({ year }) => year.slice(-2),
  MMMM: ({ word }) => word('month', 'long'),
  MMM: ({ word }) => word('month', 'short'),
  MM: ({ month }) => month,
  M: ({ month }) => plain(month),
  EEEE: ({ word }) => word('weekday', 'long'),
  dddd: ({ word }) => word('weekday', 'long'),
  EEE: ({ word }) => word('weekday', 'short'),
  ddd: ({ word }) => word('weekday', 'short'),
  dd: ({ day }) => day,
  DD: ({ day }) => day,
  d: ({ day }) => plain(day),
  D: ({ day }) => plain(day),
  HH: ({ hour }) => hour,
  H: ({ hour }) => plain(hour),
  hh: ({ hour }) => twelve(hour).padStart(2, '0'),
  h: ({ hour }) => twelve(hour),
  mm: ({ minute }) => minute,
  m: ({ minute }) => plain(minute),
  ss: ({ second }) => second,
  s: ({ second }) => plain(second),
  SSS: ({ milliseconds }) => milliseconds,
  A: ({ hour }) => (Number(hour) < 12 ? 'AM' : 'PM'),
  a: ({ hour }) => (Number(hour) < 12 ? 'am' : 'pm'),
};

const python: Readonly<Record<string, string>> = {
  Y: 'yyyy',
  y: 'yy',
  B: 'MMMM',
  b: 'MMM',
  m: 'MM',
  d: 'dd',
  e: 'd',
  A: 'EEEE',
  a: 'EEE',
  H: 'HH',
  I: 'hh',
  M: 'mm',
  S: 'ss',
  p: 'A',
};
