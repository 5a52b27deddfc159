/**
 * The header of the debug log page: the job, its outcome, and downloads of the log in other formats. The page is in English only.
 */
import type { LogEvent } from '../../main/log/events.ts';
import { lastOf } from '../../main/log/events.ts';
import { namesStage } from '../../main/log/findings/outcome.ts';
import { summaryOf, type JobSummary } from '../../main/log/job-summary.ts';
import type { LogPageLinks } from '../../main/log/log-page.ts';
import { FactList } from '../explain/fact-list.tsx';
import { duration, number, size, t } from '../texts/text.ts';

interface JobHeaderProps {
  readonly events: readonly LogEvent[];
  readonly links: LogPageLinks | undefined;
}

export function JobHeader({ events, links }: JobHeaderProps) {
  const job = summaryOf(events);
  const { jobDetail, took } = job;
  const { label, tone } = outcomeOf(job);
  return (
    <header class="log-header">
      <h1>
        Debug log <bdi class="mono soft">{job.id}</bdi>
      </h1>
      <p class="log-outcome" data-tone={tone}>
        <strong>{label}</strong> <OutcomeText job={job} />
      </p>
      <FactList
        facts={[
          [t('job.received'), jobDetail && <Received iso={jobDetail.received} />],
          [t('explain.took'), duration(took)],
          [t('job.account'), jobDetail && <bdi>{jobDetail.account}</bdi>],
          [t('job.tag'), jobDetail?.tag && <bdi>{jobDetail.tag}</bdi>],
          ['Input', lastOf(events, 'options')?.detail.input],
          ['Platen', jobDetail?.versions.platen],
          ['Electron', jobDetail?.versions.electron],
          ['Chromium', jobDetail?.versions.chromium],
        ]}
      />
      {links && (
        <p class="log-links">
          Download: <a href={links.json}>JSON</a> <a href={links.har}>HAR</a>
          {job.outcome === 'converted' && (
            <>
              {' '}
              <a href={links.recipe}>Recipe</a>
            </>
          )}
        </p>
      )}
    </header>
  );
}

function outcomeOf({ outcome, failure }: JobSummary): { label: string; tone?: 'good' | 'error' } {
  const { status, reason } = failure?.detail ?? {};
  const code = status === undefined ? '' : ` ${status}${reason === undefined ? '' : `.${reason}`}`;
  if (outcome === 'converted') return { label: 'Converted', tone: 'good' };
  if (outcome === 'caller gone') return { label: 'Caller disconnected' };
  return outcome === 'failed' || failure !== undefined
    ? { label: `Failed${code}`, tone: 'error' }
    : { label: 'Unfinished' };
}

function OutcomeText({ job: { outcome, failure, pages, bytes } }: { readonly job: JobSummary }) {
  if (failure !== undefined)
    return (
      <>
        <bdi>{failure.text}</bdi>
        <StageNote failure={failure} />
      </>
    );
  if (outcome === 'converted')
    return (
      <>
        {[
          pages !== undefined && `${number(pages)} ${pages === 1 ? 'page' : 'pages'}`,
          bytes !== undefined && size(bytes),
        ]
          .filter((part) => part !== false)
          .join(', ')}
      </>
    );
  return outcome === 'unfinished' ? (
    <>The job is still running, or the service ended during the job.</>
  ) : (
    <>The caller closed the connection.</>
  );
}

/** The stage in which the job failed. Renders nothing if the failure message names the stage. */
function StageNote({ failure }: { readonly failure: NonNullable<JobSummary['failure']> }) {
  if (namesStage(failure)) return null;
  const { stage } = failure.detail;
  return (
    <small>
      {' '}
      {t('explain.stage')}: <bdi>{stage === 'start' ? 'reading the request' : stage}</bdi>.
    </small>
  );
}

/** Shows an ISO 8601 time as `2026-11-21 15:08:46 UTC`. Shows any other text unchanged. */
function Received({ iso }: { readonly iso: string }) {
  const readable = iso.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC');
  return <time dateTime={iso}>{readable}</time>;
}
