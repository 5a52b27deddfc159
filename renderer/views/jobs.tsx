/** The "Jobs" view: the list of jobs, with the open job beside it. */
import { useEffect, useRef } from 'preact/hooks';
import { useBridge } from '../bridge/bridge.ts';
import { JobFilters } from '../jobs/job-filters.tsx';
import {
  loadFirstJobs,
  isLoadingMore,
  loadMoreJobs,
  filter,
  jobList,
  listProblem,
} from '../jobs/job-list.ts';
import { JobPane } from '../jobs/job-pane.tsx';
import { JobTable } from '../jobs/job-table.tsx';
import '../jobs/jobs.css';
import { JobListError, EmptyJobList } from '../jobs/empty-job-list.tsx';
import { Button } from '../parts/button.tsx';
import { openItem, show } from '../state/current-view.ts';
import { Waiting } from '../parts/waiting.tsx';
import { t } from '../texts/text.ts';

/** Polling interval for the newest jobs. */
const pollIntervalMs = 3000;

export function JobsView() {
  const open = openItem.value;
  const root = useRef<HTMLElement>(null);
  const close = () => {
    show('jobs');
    requestAnimationFrame(() => {
      root.current?.querySelector<HTMLElement>(`[data-job="${CSS.escape(open)}"] a`)?.focus();
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (event.key === 'Escape' && open !== '' && target.closest('dialog, input, .menu') === null) close();
  };
  return (
    <section class="view" ref={root} onKeyDown={onKeyDown}>
      <header class="view-head jobs-head">
        <h1>{t('nav.jobs')}</h1>
        <JobFilters />
      </header>
      <div class="jobs" data-open={open === '' ? undefined : ''}>
        <List open={open} />
        {open !== '' && (
          <aside class="job-pane" aria-label={t('nav.jobs')}>
            <JobPane key={open} id={open} onClose={close} />
          </aside>
        )}
      </div>
    </section>
  );
}

function List({ open }: { readonly open: string }) {
  const bridge = useBridge();
  const list = useRef<HTMLDivElement>(null);
  const currentFilter = filter.value;
  useEffect(() => {
    list.current?.scrollTo(0, 0);
    void loadFirstJobs(bridge, true);
    const timer = setInterval(() => {
      // Further down the list, a refresh would move the rows that the user reads.
      const atTop = list.current !== null && list.current.scrollTop < 8;
      if (atTop && !document.hidden && !isLoadingMore.value) void loadFirstJobs(bridge, false);
    }, pollIntervalMs);
    return () => {
      clearInterval(timer);
    };
  }, [bridge, currentFilter]);
  return (
    <div class="jobs-list" ref={list}>
      <Rows open={open} />
    </div>
  );
}

function Rows({ open }: { readonly open: string }) {
  const bridge = useBridge();
  const list = jobList.value;
  const problem = listProblem.value;
  // If the service does not respond, the loaded jobs stay visible, and the banner of the shell reports the problem.
  if (problem !== undefined && (list === undefined || list.jobs.length === 0))
    return <JobListError problem={problem} />;
  if (list === undefined) return <Waiting>{t('loading')}</Waiting>;
  if (list.jobs.length === 0) return <EmptyJobList />;
  return (
    <>
      <JobTable jobs={list.jobs} open={open} />
      <div class="jobs-foot">
        {list.next === null ? (
          <p class="faint">{t('jobs.end')}</p>
        ) : (
          <Button disabled={isLoadingMore.value} onClick={() => void loadMoreJobs(bridge)}>
            {t('jobs.more')}
          </Button>
        )}
      </div>
    </>
  );
}
