/** Dates: `date value "dd.MM.yyyy"`, or by Intl's styles. */
import { TemplateProblem } from '../problem.ts';
import { kindOf, Markup } from '../values.ts';
import { isNothing, rows, textArgument, type Call } from './call.ts';
import { byPattern } from './date-pattern.ts';

export const dates = rows({ date });

/** The pattern, or one of short, medium, long, full, is the second argument or `format`. */
function date(call: Call): string {
  const [value] = call.args;
  if (isNothing(value) || value === '') return '';
  const { instant, zoned } = momentOf(value);
  const timeZone = (zoned ? textArgument(call, 'timeZone', 99) : undefined) ?? 'UTC';
  const locale = textArgument(call, 'locale', 99);
  const format = textArgument(call, 'format', 1);
  if (format !== undefined && !styles.includes(format))
    return byPattern(instant, format, { timeZone, locale, formats: call.formats });
  return call.formats.date({ ...styleOf(call, format), timeZone }, locale).format(instant);
}

const styles = ['short', 'medium', 'long', 'full'];

function styleOf(call: Call, format: string | undefined): Intl.DateTimeFormatOptions {
  const dateStyle = textArgument(call, 'dateStyle', 99) ?? format;
  const timeStyle = textArgument(call, 'timeStyle', 99);
  return {
    ...(dateStyle === undefined && timeStyle !== undefined ? {} : { dateStyle: dateStyle ?? 'medium' }),
    ...(timeStyle === undefined ? {} : { timeStyle }),
  } as Intl.DateTimeFormatOptions;
}

const iso =
  /^(\d{4})-(\d\d)(?:-(\d\d))?(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;

/** `zoned` is an instant, which a time zone moves; a date or a time without a zone means what it says, everywhere. */
function momentOf(value: unknown): { instant: number; zoned: boolean } {
  if (value === 'now') return { instant: Date.now(), zoned: true };
  if (typeof value === 'number' && Math.abs(value) <= 8.64e15) return { instant: value, zoned: true };
  const text = value instanceof Markup ? value.text : value;
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
  // Date.parse lets 31 February pass as 3 March.
  if (new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() !== Number(day)) return Number.NaN;
  const offset = zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase();
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`);
}
