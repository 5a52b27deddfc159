/** The current language, and the texts of the console as ICU messages. Each language has a catalogue of texts. */
import { signal } from '@preact/signals';
import { IntlMessageFormat } from 'intl-messageformat';
import { de } from './de.ts';
import { en, type TextKey } from './en.ts';

export type { TextKey } from './en.ts';
export type Language = 'en' | 'de';

export const languages: Readonly<
  Record<Language, { readonly name: string; readonly direction: 'ltr' | 'rtl'; readonly texts: Texts }>
> = {
  en: { name: 'English', direction: 'ltr', texts: en },
  de: { name: 'Deutsch', direction: 'ltr', texts: de },
};

type Texts = Readonly<Record<TextKey, string>>;

export const language = signal<Language>('en');

type TextValues = Readonly<Record<string, string | number>>;

/** Returns the text of a key in the current language. A component that calls this is rendered again when the language changes. */
export function t(key: TextKey, values?: TextValues): string {
  const message = languages[language.value].texts[key];
  return values === undefined && !/[{<']/.test(message) ? message : format(message, values);
}

/** Returns the first of the preferred languages that has a catalogue; English if there is none. */
export function languageFor(preferred: readonly string[]): Language {
  const found = preferred.map((tag) => tag.split('-')[0] ?? '').find((tag) => tag in languages);
  return (found as Language | undefined) ?? 'en';
}

/** Formats a size in the current language, such as `43.2 kB`. */
export function size(bytes: number): string {
  const steps = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const step = bytes < 1000 ? 0 : bytes < 1e6 ? 1 : bytes < 1e9 ? 2 : 3;
  const unit = steps[step];
  const digits = step === 0 ? 0 : bytes / 1000 ** step < 10 ? 1 : 0;
  const style = { style: 'unit', unit, unitDisplay: step === 0 ? 'long' : 'short' } as const;
  return numberFormat({ ...style, maximumFractionDigits: digits }).format(bytes / 1000 ** step);
}

/** Formats a duration in the current language: `0.4 ms`, `118 ms`, `2.4 s`, `1 min 12 s`. */
export function duration(milliseconds: number): string {
  const unit = (name: string, value: number, digits: number) =>
    numberFormat({
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value);
  // Compares rounded values, so that 59,960 ms is one minute and not 60 seconds.
  if (Math.round(milliseconds) < 1000) return unit('millisecond', milliseconds, milliseconds < 10 ? 1 : 0);
  if (Math.round(milliseconds / 100) < 600) return unit('second', milliseconds / 1000, 1);
  const seconds = Math.round(milliseconds / 1000);
  return `${unit('minute', Math.floor(seconds / 60), 0)} ${unit('second', seconds % 60, 0)}`;
}

export function number(value: number): string {
  return numberFormat().format(value);
}

const numberFormats = new Map<string, Intl.NumberFormat>();

/**
 * Returns a number format of the current language. Formats are cached, because creating one takes longer than using it a hundred
 * times.
 */
export function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${language.value} ${JSON.stringify(options)}`;
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(language.value, options);
  numberFormats.set(key, format);
  return format;
}

/** Formats a time in the current language, such as `21 Nov 2026, 14:05`; a time of today without the date. */
export function moment(time: number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(
    language.value,
    isToday ? { timeStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' },
  ).format(date);
}

const formats = new Map<string, IntlMessageFormat>();

function format(message: string, values: TextValues | undefined): string {
  const key = `${language.value} ${message}`;
  const messageFormat = formats.get(key) ?? new IntlMessageFormat(message, language.value);
  formats.set(key, messageFormat);
  return String(messageFormat.format({ ...values }));
}
