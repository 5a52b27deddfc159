/** The labels of a job in the list and in its pane: title, outcome and times. */
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleX,
  Hourglass,
  PhoneOff,
  Unplug,
  type LucideIcon,
} from 'lucide-preact';
import type { JobView } from '../../main/console/contract.ts';
import { size, t, type TextKey, language, moment } from '../texts/text.ts';
import type { FilterOutcome } from './job-list.ts';
import { fileNameIn, restoredRequest } from './restored-request.ts';

/** Returns the title of a job: the URL without its scheme, the file name, or the type and size of the text. */
export function titleOf(
  job: Pick<JobView, 'input' | 'inputBytes' | 'parameters' | 'outcome' | 'progress'>,
): string {
  const { input, inputBytes, parameters, progress } = job;
  if (input === null) return t(job.outcome === null ? 'jobs.input.arriving' : 'jobs.input.unread');
  if (input === 'url') return parameters?.url?.replace(/^https?:\/\//i, '') ?? t('jobs.input.url');
  if (input === 'file')
    return parameters?.file === undefined ? t('jobs.input.file') : fileNameIn(parameters.file);
  const isTemplate = progress !== null || restoredRequest(job).kind === 'template';
  const kind = t(isTemplate ? 'jobs.input.template' : 'jobs.input.text');
  return inputBytes === null ? kind : `${kind}, ${size(inputBytes)}`;
}

interface OutcomeLabel {
  readonly text: TextKey;
  readonly tone: 'good' | 'error' | 'warning' | 'accent' | undefined;
  readonly icon: LucideIcon;
}

export const outcomes: Readonly<Record<FilterOutcome, OutcomeLabel>> = {
  converted: { text: 'jobs.outcome.converted', tone: 'good', icon: CircleCheck },
  failed: { text: 'jobs.outcome.failed', tone: 'error', icon: CircleX },
  'caller gone': { text: 'jobs.outcome.caller gone', tone: 'warning', icon: PhoneOff },
  interrupted: { text: 'jobs.outcome.interrupted', tone: 'warning', icon: Unplug },
  canceled: { text: 'jobs.outcome.canceled', tone: 'warning', icon: Ban },
  queued: { text: 'jobs.outcome.queued', tone: undefined, icon: Hourglass },
  'under way': { text: 'jobs.outcome.under way', tone: 'accent', icon: CircleDashed },
};

/** Returns the duration of a job in milliseconds; for a running job, the time so far. */
export function jobDuration({ received, ended }: Pick<JobView, 'received' | 'ended'>, now: number): number {
  return Math.max(0, (ended ?? now) - received);
}

/** Returns how many rows of a batch have ended, and how; undefined for other jobs. */
export function progressText({ progress }: Pick<JobView, 'progress'>): string | undefined {
  if (progress === null) return undefined;
  const { rows, done, failed, canceled } = progress;
  return [
    t('job.rows.done', { done, rows }),
    ...(failed > 0 ? [t('job.rows.failed', { failed })] : []),
    ...(canceled > 0 ? [t('job.rows.canceled', { canceled })] : []),
  ].join(', ');
}

export function relativeTime(time: number, now: number): string {
  const seconds = Math.round((now - time) / 1000);
  if (seconds >= 3600) return moment(time);
  if (seconds < 10) return t('jobs.now');
  const format = new Intl.RelativeTimeFormat(language.value, { style: 'short', numeric: 'always' });
  return seconds < 60
    ? format.format(-seconds, 'second')
    : format.format(-Math.round(seconds / 60), 'minute');
}

/** Formats a time as `21 Nov 2026, 14:05:31`. */
export function exactTime(time: number): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'medium' }).format(time);
}

export function OutcomeBadge({
  job: { outcome, state },
}: {
  readonly job: Pick<JobView, 'outcome' | 'state'>;
}) {
  const { text, tone, icon: Icon } = outcomes[outcome ?? (state === 'queued' ? 'queued' : 'under way')];
  return (
    <span class="badge outcome" data-tone={tone} title={t(text)}>
      <Icon size={12} strokeWidth={2.5} aria-hidden="true" />
      <span class="outcome-text">{t(text)}</span>
    </span>
  );
}
