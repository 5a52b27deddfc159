/** Shown instead of the job list if there are no jobs, no matches, no access, or if loading failed. */
import { CloudOff, ListOrdered, Lock, SearchX } from 'lucide-preact';
import { ServiceError, useBridge } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { service } from '../state/service-state.ts';
import { show } from '../state/current-view.ts';
import { t } from '../texts/text.ts';
import { loadFirstJobs, filter, noFilter } from './job-list.ts';

export function EmptyJobList() {
  if (isFiltered())
    return (
      <Empty icon={SearchX} title={t('jobs.none.title')} actions={<ClearFilters />}>
        {t('jobs.none.sentence')}
      </Empty>
    );
  const goToTry = () => {
    show('try');
  };
  return (
    <div class="jobs-first">
      <Empty
        icon={ListOrdered}
        title={t('jobs.empty.title')}
        actions={
          <>
            <pre class="jobs-command">{exampleCommand()}</pre>
            <Button tone="primary" onClick={goToTry}>
              {t('jobs.empty.try')}
            </Button>
            <CopyButton text={exampleCommand} label={t('jobs.empty.copy')} />
          </>
        }
      >
        {t('jobs.empty.sentence')}
      </Empty>
    </div>
  );
}

export function JobListError({ problem }: { readonly problem: Error }) {
  const bridge = useBridge();
  const isDenied = problem instanceof ServiceError && [401, 403].includes(problem.status);
  return (
    <Empty
      icon={isDenied ? Lock : CloudOff}
      title={t(isDenied ? 'jobs.denied.title' : 'failed.title')}
      actions={
        <>
          <Button onClick={() => void loadFirstJobs(bridge, true)}>{t('action.again')}</Button>
          {isFiltered() && <ClearFilters />}
        </>
      }
    >
      {problem.message}
    </Empty>
  );
}

function ClearFilters() {
  return (
    <Button
      onClick={() => {
        filter.value = noFilter;
      }}
    >
      {t('jobs.none.clear')}
    </Button>
  );
}

function isFiltered(): boolean {
  const { text, outcome, account } = filter.value;
  return text.trim() !== '' || outcome !== '' || account !== '';
}

/** Returns the example request of the README, with the base URL of this service and the account of the user. */
function exampleCommand(): string {
  const { baseUrl = location.origin, account } = service.value ?? {};
  const user = account?.demo ? 'demo:demo' : `${account?.name ?? 'YOUR_ACCOUNT'}:YOUR_KEY`;
  return `curl -u ${user} -d url=https://example.com \\\n  -o page.pdf ${baseUrl}/convert/24.04/`;
}
