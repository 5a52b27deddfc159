/** Dates by pattern: `dd.MM.yyyy` as in most languages, `DD.MM.YYYY` as in moment.js, `%d.%m.%Y` as in Python. */

type Wanted = (options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat;

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
  const parts = new Map(
    wanted({
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const two = (type: Intl.DateTimeFormatPartTypes) => (parts.get(type) ?? '').padStart(2, '0');
  return {
    year: (parts.get('year') ?? '').padStart(4, '0'),
    month: two('month'),
    day: two('day'),
    hour: two('hour'),
    minute: two('minute'),
    second: two('second'),
    milliseconds: String(((instant % 1000) + 1000) % 1000).padStart(3, '0'),
    word: (part, length) => {
      const beside: Intl.DateTimeFormatOptions = part === 'month' ? { day: 'numeric' } : {};
      const found = wanted({ ...beside, [part]: length }).formatToParts(instant);
      return found.find(({ type }) => type === part)?.value ?? '';
    },
  };
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
