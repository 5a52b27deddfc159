/** Formats a time for people: relative within the last hour, absolute before that. */
import { language, moment, t } from '../texts/text.ts';

export function ago(time: number, now: number): string {
  const seconds = Math.round((now - time) / 1000);
  if (seconds >= 3600) return moment(time);
  if (seconds < 10) return t('jobs.now');
  const format = new Intl.RelativeTimeFormat(language.value, { style: 'short', numeric: 'always' });
  return seconds < 60
    ? format.format(-seconds, 'second')
    : format.format(-Math.round(seconds / 60), 'minute');
}

/** `21 Nov 2026, 14:05:31`. */
export function exactly(time: number): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'medium' }).format(time);
}
