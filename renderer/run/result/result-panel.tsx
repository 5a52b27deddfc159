/**
 * The Result tab: the output, the progress or the failure of the selected run. The previous output stays visible until the next one
 * has loaded.
 */
import { Ban, FileOutput, FileX2, Check } from 'lucide-preact';
import { useBridge } from '../../bridge/bridge.ts';
import { hasInput, inputKind } from '../../call/call.ts';
import { blocker } from '../../call/blocker.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { t, duration } from '../../texts/text.ts';
import { FailureNote, FailurePanel } from './failure-panel.tsx';
import { downloadRun } from '../download-run.ts';
import { isLive } from '../live-mode.ts';
import { runRequest } from '../run-request.ts';
import { runByNumber, runs, shownRun, type ConsoleRun } from '../runs.ts';
import { useEffect, useState } from 'preact/hooks';
import { Waiting } from '../../parts/waiting.tsx';
import { Viewer } from '../../viewer/viewer.tsx';
import { useElapsed } from '../use-elapsed.ts';
import { phaseReached, phases, phaseTextKey } from '../run-phases.ts';

export function ResultPanel() {
  const run = runByNumber(shownRun.value);
  if (run === undefined) return <NoRunYet />;
  const previous = previousSuccess(run);
  switch (run.state.kind) {
    case 'converted':
      return <OutputView run={run} />;
    case 'running':
      return previous === undefined ? <RunProgress run={run} /> : <OutputView run={previous} />;
    case 'failed':
      return previous !== undefined && isLive.value ? (
        <>
          <FailureNote outcome={run.state.outcome} />
          <OutputView run={previous} />
        </>
      ) : (
        <FailurePanel outcome={run.state.outcome} />
      );
    case 'cancelled':
      return previous !== undefined && isLive.value ? <OutputView run={previous} /> : <Cancelled />;
  }
}

/** Returns the newest successful run before `run`; undefined if there is none. */
function previousSuccess({ number }: ConsoleRun): ConsoleRun | undefined {
  return runs.value.find((run) => run.number < number && run.state.kind === 'converted');
}

function NoRunYet() {
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
          <Button onClick={() => void runRequest(bridge).ended}>{t('run.again')}</Button>
        )
      }
    >
      {t('run.cancelled.sentence')}
    </Empty>
  );
}

interface ConvertedOutput {
  readonly blob: Blob;
  readonly type: string;
  readonly run: ConsoleRun;
}

function OutputView({ run }: { readonly run: ConsoleRun }) {
  const bridge = useBridge();
  const [output, setOutput] = useState<ConvertedOutput>();
  const [problem, setProblem] = useState<Error>();
  useEffect(() => fetchOutput(run, { setOutput, setProblem }), [run.number]);
  if (problem !== undefined)
    return (
      <Empty
        icon={FileX2}
        title={t('run.gone.title')}
        actions={
          blocker.value === undefined && (
            <Button onClick={() => void runRequest(bridge).ended}>{t('run.again')}</Button>
          )
        }
      >
        {problem.message}
      </Empty>
    );
  if (output === undefined) return <Waiting>{t('loading')}</Waiting>;
  return (
    <div class="run-output">
      <Viewer blob={output.blob} type={output.type} onSave={() => void downloadRun(bridge, output.run)} />
    </div>
  );
}

function fetchOutput(
  run: ConsoleRun,
  set: {
    readonly setOutput: (output: ConvertedOutput) => void;
    readonly setProblem: (problem: Error | undefined) => void;
  },
): (() => void) | undefined {
  const { state } = run;
  if (state.kind !== 'converted') return undefined;
  let isOutdated = false;
  const { type } = state.outcome;
  state.blob().then(
    (blob) => {
      if (isOutdated) return;
      set.setProblem(undefined);
      set.setOutput({ blob, type, run });
    },
    (problem: unknown) => {
      if (!isOutdated) set.setProblem(problem instanceof Error ? problem : new Error(String(problem)));
    },
  );
  return () => {
    isOutdated = true;
  };
}

function RunProgress({ run }: { readonly run: ConsoleRun }) {
  const elapsed = useElapsed(run.began);
  const current = phases.indexOf(phaseReached(run.state.kind === 'running' ? run.state.stages : []));
  return (
    <div class="run-progress">
      <h2 class="cut" title={run.title}>
        {run.title}
      </h2>
      <ol aria-label={t('run.progress')}>
        {phases.map((phase, index) => (
          <li
            key={phase}
            data-state={index < current ? 'done' : index === current ? 'now' : 'later'}
            aria-current={index === current ? 'step' : undefined}
          >
            <span class="run-progress-mark">
              {index < current ? (
                <Check size={14} aria-hidden="true" />
              ) : (
                index === current && <span class="spinner" />
              )}
            </span>
            {t(phaseTextKey(phase))}
          </li>
        ))}
      </ol>
      <p class="faint">{t('run.elapsed', { time: duration(elapsed) })}</p>
    </div>
  );
}
