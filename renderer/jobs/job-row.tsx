/** One job as a row. The link covers the whole row, so a click anywhere in the row opens the job. */
import type { JobView } from '../../main/console/contract.ts';
import { duration, number, size } from '../texts/text.ts';
import { relativeTime, exactTime, titleOf, jobDuration, OutcomeBadge, progressText } from './job-labels.tsx';

interface JobRowProps {
  readonly job: JobView;
  readonly isOpen: boolean;
  readonly isTabStop: boolean;
  readonly isOperator: boolean;
}

export function JobRow({ job, isOpen, isTabStop, isOperator }: JobRowProps) {
  const { id, received, outputFormat, pages, outputBytes, credits, account, tag } = job;
  const now = Date.now();
  return (
    <tr data-job={id} data-open={isOpen ? '' : undefined}>
      <td class="jobs-outcome">
        <OutcomeBadge job={job} />
      </td>
      <td class="jobs-title">
        <a
          href={`#jobs/${id}`}
          tabIndex={isTabStop ? 0 : -1}
          aria-current={isOpen ? 'true' : undefined}
          title={tooltipOf(job)}
        >
          <bdi>{titleOf(job)}</bdi>
        </a>
        <Progress job={job} />
        <Message job={job} />
      </td>
      <td class="jobs-extra jobs-name">{tag}</td>
      {isOperator && <td class="jobs-extra jobs-name">{account}</td>}
      <td class="jobs-more">{outputFormat}</td>
      <td class="end jobs-more">{pages !== null && number(pages)}</td>
      <td class="end jobs-more">{outputBytes !== null && size(outputBytes)}</td>
      <td class="end jobs-took">{duration(jobDuration(job, now))}</td>
      <td class="end jobs-extra">{number(credits)}</td>
      <td class="end soft">{relativeTime(received, now)}</td>
    </tr>
  );
}

/** Returns the tooltip: the texts that the row may truncate, and the exact time. */
function tooltipOf(job: JobView): string {
  const { tag, message, received } = job;
  return [titleOf(job), tag, message, exactTime(received)]
    .filter((part) => part !== null && part !== '')
    .join('\n');
}

/** How far a batch is. */
function Progress({ job }: { readonly job: JobView }) {
  const text = progressText(job);
  return text === undefined ? null : <span class="jobs-message">{text}</span>;
}

/** Why the job failed, truncated to the available width. */
function Message({ job: { message, outcome } }: { readonly job: JobView }) {
  if (message === null || outcome === 'converted') return null;
  return (
    <span class="jobs-message" lang="en">
      {message}
    </span>
  );
}
