/** The template function `date`, which formats a date by a pattern (`date value "dd.MM.yyyy"`) or with Intl's styles. */
import { TemplateProblem } from '../problem.ts';
import { kindOf, SafeMarkup } from '../values.ts';
import { isMissingOrNull, functionTable, textArgument, type FunctionCall } from './call.ts';
import type { Formats } from './formats.ts';

export const dates = functionTable({ date });

/** Formats a date. The second argument, or `format`, is a pattern or one of short, medium, long and full. */
function date(call: FunctionCall): string {
  const [value] = call.args;
  if (isMissingOrNull(value) || value === '') return '';
  const { instant, zoned } = momentOf(value);
  // With position 99, which never exists, these arguments can be given only by name.
  const timeZone = (zoned ? textArgument(call, 'timeZone', 99) : undefined) ?? 'UTC';
  const locale = textArgument(call, 'locale', 99);
  const format = textArgument(call, 'format', 1);
  if (format !== undefined && !styles.includes(format))
    return byPattern(instant, format, { timeZone, locale, formats: call.formats });
  return call.formats.date({ ...styleOf(call, format), timeZone }, locale).format(instant);
}

const styles = ['short', 'medium', 'long', 'full'];

function styleOf(call: FunctionCall, format: string | undefined): Intl.DateTimeFormatOptions {
  const dateStyle = textArgument(call, 'dateStyle', 99) ?? format;
  const timeStyle = textArgument(call, 'timeStyle', 99);
  return {
    ...(dateStyle === undefined && timeStyle !== undefined ? {} : { dateStyle: dateStyle ?? 'medium' }),
    ...(timeStyle === undefined ? {} : { timeStyle }),
  } as Intl.DateTimeFormatOptions;
}

const iso =
  /^(\d{4})-(\d\d)(?:-(\d\d))?(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Returns the instant of a value, in milliseconds since 1970. A time zone applies only to `zoned` values; a date or time without
 * a zone is printed unchanged. @throws TemplateProblem
 */
function momentOf(value: unknown): { instant: number; zoned: boolean } {
  if (value === 'now') return { instant: Date.now(), zoned: true };
  if (typeof value === 'number' && Math.abs(value) <= 8.64e15) return { instant: value, zoned: true };
  const text = value instanceof SafeMarkup ? value.text : value;
  const parts = typeof text === 'string' ? iso.exec(text.trim()) : null;
  const instant = parts === null ? Number.NaN : instantOf(parts);
  if (Number.isNaN(instant)) {
    throw new TemplateProblem(
      `date needs a date such as 2026-01-31, 2026-01-31T10:30:00Z or milliseconds since 1970, not ${kindOf(value)}`,
    );
  }
  return { instant, zoned: parts?.[8] !== undefined };
}

function instantOf(parts: RegExpExecArray): number {
  const [, year, month, day = '01', hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] =
    parts;
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
  // Date.parse would read 31 February as 3 March.
  if (new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() !== Number(day)) return Number.NaN;
  const offset = zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase();
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`);
}

// Formats dates by pattern: `dd.MM.yyyy` as in Java, `DD.MM.YYYY` as in moment.js, `%d.%m.%Y` as in Python.

interface Zone {
  readonly timeZone: string;
  readonly locale: string | undefined;
  readonly formats: Formats;
}

/** Formats an instant by a pattern. Prints the text in `[text]` and `'text'`, and letters that are not tokens, unchanged. */
function byPattern(instant: number, pattern: string, zone: Zone): string {
  const formatPattern = pattern === 'iso' ? 'yyyy-MM-dd' : pattern;
  const fields = fieldsOf(instant, zone);
  const read = (token: string) => tokens[token]?.(fields) ?? token;
  if (formatPattern.includes('%'))
    return formatPattern.replace(/%([a-zA-Z%])/g, (all, letter: string) => {
      const token = pythonTokens[letter];
      return token === undefined ? (letter === '%' ? '%' : all) : read(token);
    });
  return formatPattern.replace(
    /\[([^[\]]*)\]|'([^']*)'|y{4}|Y{4}|yy|YY|M{1,4}|E{3,4}|d{1,4}|D{1,2}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|SSS|A|a/g,
    (token: string, bracketed?: string, quoted?: string) => bracketed ?? quoted ?? read(token),
  );
}

interface DateFields {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  readonly milliseconds: string;
  /** Returns the name of the month or weekday in the locale's language; a month in the form used with a day (genitive). */
  readonly word: (part: 'month' | 'weekday', length: 'long' | 'short') => string;
}

function fieldsOf(instant: number, zone: Zone): DateFields {
  const wall = new Date(wallClock(instant, zone));
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
      const day: Intl.DateTimeFormatOptions = part === 'month' ? { day: 'numeric' } : {};
      const parts = formatter(zone, { ...day, [part]: length }).formatToParts(instant);
      return parts.find(({ type }) => type === part)?.value ?? '';
    },
  };
}

/** Returns the instant at which clocks in UTC show the local time of the zone. */
function wallClock(instant: number, zone: Zone): number {
  if (zone.timeZone === 'UTC') return instant;
  // Formats in English, because other languages write offsets with other letters and digits.
  const offsetFormatter = formatter({ ...zone, locale: 'en-US' }, { timeZoneName: 'longOffset' });
  const shown =
    offsetFormatter.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
    /([+\u2212-])(\d\d):(\d\d)(?::(\d\d))?/.exec(shown) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000;
  return sign === '+' ? instant + offset : instant - offset;
}

function formatter({ timeZone, locale, formats }: Zone, options: Intl.DateTimeFormatOptions) {
  return formats.date({ ...options, timeZone }, locale);
}

const withoutZero = (digits: string) => String(Number(digits));
const twelveHour = (hour: string) => String(Number(hour) % 12 || 12);

const tokens: Readonly<Record<string, (fields: DateFields) => string>> = {
  yyyy: ({ year }) => year,
  YYYY: ({ year }) => year,
  yy: ({ year }) => year.slice(-2),
  YY: ({ year }) => year.slice(-2),
  MMMM: ({ word }) => word('month', 'long'),
  MMM: ({ word }) => word('month', 'short'),
  MM: ({ month }) => month,
  M: ({ month }) => withoutZero(month),
  EEEE: ({ word }) => word('weekday', 'long'),
  dddd: ({ word }) => word('weekday', 'long'),
  EEE: ({ word }) => word('weekday', 'short'),
  ddd: ({ word }) => word('weekday', 'short'),
  dd: ({ day }) => day,
  DD: ({ day }) => day,
  d: ({ day }) => withoutZero(day),
  D: ({ day }) => withoutZero(day),
  HH: ({ hour }) => hour,
  H: ({ hour }) => withoutZero(hour),
  hh: ({ hour }) => twelveHour(hour).padStart(2, '0'),
  h: ({ hour }) => twelveHour(hour),
  mm: ({ minute }) => minute,
  m: ({ minute }) => withoutZero(minute),
  ss: ({ second }) => second,
  s: ({ second }) => withoutZero(second),
  SSS: ({ milliseconds }) => milliseconds,
  A: ({ hour }) => (Number(hour) < 12 ? 'AM' : 'PM'),
  a: ({ hour }) => (Number(hour) < 12 ? 'am' : 'pm'),
};

const pythonTokens: Readonly<Record<string, string>> = {
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
