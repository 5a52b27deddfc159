/** The table of jobs. Arrow keys move between rows and Enter opens a job. Only one row is a tab stop. */
import { useRef, useState } from 'preact/hooks';
import type { JobView } from '../../main/console/contract.ts';
import { service } from '../state/service-state.ts';
import { t } from '../texts/text.ts';
import { JobRow } from './job-row.tsx';

interface JobTableProps {
  readonly jobs: readonly JobView[];
  /** Id of the open job. */
  readonly open: string;
}

export function JobTable({ jobs, open }: JobTableProps) {
  const [lastFocused, setLastFocused] = useState('');
  const body = useRef<HTMLTableSectionElement>(null);
  const selected = [open, lastFocused].find((id) => jobs.some((job) => job.id === id));
  const tabStop = selected ?? jobs[0]?.id;
  const isOperator = service.value?.account.operator === true;
  return (
    <table class="table jobs-table" aria-label={t('jobs.list')}>
      <Head isOperator={isOperator} />
      <tbody
        ref={body}
        onKeyDown={(event) => {
          moveFocus(event, body.current);
        }}
        onFocusIn={(event) => {
          setLastFocused((event.target as HTMLElement).closest('tr')?.dataset.job ?? '');
        }}
      >
        {jobs.map((job) => (
          <JobRow
            key={job.id}
            job={job}
            isOpen={job.id === open}
            isTabStop={job.id === tabStop}
            isOperator={isOperator}
          />
        ))}
      </tbody>
    </table>
  );
}

function Head({ isOperator }: { readonly isOperator: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col">{t('jobs.column.outcome')}</th>
        <th scope="col" class="jobs-title">
          {t('jobs.column.input')}
        </th>
        <th scope="col" class="jobs-extra">
          {t('jobs.column.tag')}
        </th>
        {isOperator && (
          <th scope="col" class="jobs-extra">
            {t('jobs.column.account')}
          </th>
        )}
        <th scope="col" class="jobs-more">
          {t('jobs.column.output')}
        </th>
        <th scope="col" class="end jobs-more">
          {t('jobs.column.pages')}
        </th>
        <th scope="col" class="end jobs-more">
          {t('jobs.column.size')}
        </th>
        <th scope="col" class="end jobs-took">
          {t('jobs.column.took')}
        </th>
        <th scope="col" class="end jobs-extra">
          {t('jobs.column.credits')}
        </th>
        <th scope="col" class="end">
          {t('jobs.column.time')}
        </th>
      </tr>
    </thead>
  );
}

function moveFocus(event: KeyboardEvent, body: HTMLElement | null): void {
  const links = [...(body?.querySelectorAll<HTMLAnchorElement>('a') ?? [])];
  const current = links.indexOf(document.activeElement as HTMLAnchorElement);
  const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: links.length - 1 }[event.key];
  if (current === -1 || next === undefined) return;
  event.preventDefault();
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
}
