/** The Explain tab: the explanation of the selected run. */
import { CircleSlash, CloudOff, ScrollText } from 'lucide-preact';
import { JobLog } from '../../explain/job-log.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { t } from '../../texts/text.ts';
import { runByNumber, shownRun, type RunState } from '../runs.ts';

export function ExplainPanel() {
  const run = runByNumber(shownRun.value);
  if (run === undefined)
    return (
      <Empty icon={ScrollText} title={t('explain.empty.title')}>
        {t('explain.empty.sentence')}
      </Empty>
    );
  const { state } = run;
  const job = jobOf(state);
  if (job !== null) return <JobLog key={job} job={job} running={state.kind === 'running'} />;
  if (state.kind === 'cancelled')
    return (
      <Empty icon={CircleSlash} title={t('explain.cancelled.title')}>
        {t('explain.cancelled.sentence')}
      </Empty>
    );
  if (state.kind === 'failed')
    return (
      <Empty icon={CloudOff} title={t('explain.refused.title')}>
        {state.outcome.message}
      </Empty>
    );
  return <Waiting>{t('explain.begins')}</Waiting>;
}

/** Returns the job id of a run; null if no job has started. */
function jobOf(state: RunState): string | null {
  if (state.kind === 'running' || state.kind === 'cancelled') return state.job ?? null;
  return state.outcome.job;
}
