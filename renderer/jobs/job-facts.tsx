/** The facts of a job as a list: times, input, output, credits, account and id. */
import type { JobView } from '../../main/console/contract.ts';
import { FactList } from '../explain/fact-list.tsx';
import { service } from '../state/service-state.ts';
import { duration, number, size, t } from '../texts/text.ts';
import { relativeTime, exactTime, jobDuration, progressText } from './job-labels.tsx';

export function JobFacts({ job }: { readonly job: JobView }) {
  const { received, input, inputBytes, outputFormat, outputBytes, credits, account, tag, id } = job;
  const now = Date.now();
  const took = duration(jobDuration(job, now));
  const isOperator = service.value?.account.operator === true;
  return (
    <FactList
      facts={[
        [t('job.received'), `${exactTime(received)} (${relativeTime(received, now)})`],
        [t('job.took'), tookOf(job, took)],
        [t('job.input'), inputOf(input, inputBytes)],
        [t('job.output'), outputOf(outputFormat, outputBytes)],
        [t('job.pages'), pagesOf(job)],
        [t('job.rows'), progressText(job)],
        [t('job.credits'), number(credits)],
        [t('job.account'), isOperator ? <bdi>{account}</bdi> : undefined],
        [t('job.tag'), tag !== null && tag !== '' ? <bdi>{tag}</bdi> : undefined],
        [t('job.id'), <code key="id">{id}</code>],
      ]}
    />
  );
}

function tookOf({ outcome, state }: JobView, took: string): string {
  if (outcome !== null) return took;
  return t(state === 'queued' ? 'job.waiting' : 'job.underWay', { took });
}

function inputOf(input: JobView['input'], bytes: number | null): string | undefined {
  if (input === null) return undefined;
  return bytes === null ? t(`jobs.input.${input}`) : `${t(`jobs.input.${input}`)}, ${size(bytes)}`;
}

function outputOf(format: string | null, bytes: number | null): string | undefined {
  if (format === null) return undefined;
  return bytes === null ? format : `${format}, ${size(bytes)}`;
}

function pagesOf({ pages, totalPages }: JobView): string | undefined {
  if (pages === null) return undefined;
  if (totalPages === null || totalPages === pages) return number(pages);
  return t('job.pagesOf', { pages, total: totalPages });
}
