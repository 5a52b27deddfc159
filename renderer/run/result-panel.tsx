/** The output of the run shown, or its progress. */
import { Ban, FileOutput } from 'lucide-preact';
import { useBridge } from '../bridge/bridge.ts';
import { hasInput, inputKind } from '../call/call.ts';
import { blocker } from '../call/blocker.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { t } from '../texts/text.ts';
import { FailureNote, FailurePanel } from './failure-panel.tsx';
import { isLive } from './live-mode.ts';
import { OutputView } from './output-view.tsx';
import { RunProgress } from './run-progress.tsx';
import { runCall } from './run-call.ts';
import { runOf, runs, shown, type Run } from './runs.ts';

export function ResultPanel() {
  const run = runOf(shown.value);
  if (run === undefined) return <NothingYet />;
  const before = goodBefore(run);
  switch (run.state.is) {
    case 'converted':
      return <OutputView run={run} />;
    case 'running':
      return before === undefined ? <RunProgress run={run} /> : <OutputView run={before} isOld />;
    case 'failed':
      return before !== undefined && isLive.value ? (
        <>
          <FailureNote outcome={run.state.outcome} />
          <OutputView run={before} isOld />
        </>
      ) : (
        <FailurePanel outcome={run.state.outcome} />
      );
    case 'cancelled':
      return before !== undefined && isLive.value ? <OutputView run={before} isOld /> : <Cancelled />;
  }
}

/** The newest successful run before it, shown until there is a newer output. */
function goodBefore({ number }: Run): Run | undefined {
  return runs.value.find((run) => run.number < number && run.state.is === 'converted');
}

function NothingYet() {
  return (
    <Empty icon={FileOutput} title={t('run.nothing.title')}>
      {t(hasInput.value ? 'run.nothing.convert' : `run.nothing.${inputKind.value}`)}
    </Empty>
  );
}

function Cancelled() {
  const bridge = useBridge();
  return (
    <Empty
      icon={Ban}
      title={t('run.cancelled.title')}
      actions={
        blocker.value === undefined && (
          <Button onClick={() => void runCall(bridge).over}>{t('run.again')}</Button>
        )
      }
    >
      {t('run.cancelled.sentence')}
    </Empty>
  );
}
