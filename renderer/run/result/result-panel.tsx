/** The result of the run shown: its output, its progress or its failure. Until an output has loaded, the previous one stays visible. */
import { Ban, FileOutput, FileX2, Check } from 'lucide-preact';
import { useBridge } from '../../bridge/bridge.ts';
import { hasInput, inputKind } from '../../call/call.ts';
import { blocker } from '../../call/blocker.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { t, duration } from '../../texts/text.ts';
import { FailureNote, FailurePanel } from './failure-panel.tsx';
import { isLive } from '../live-mode.ts';
import { runCall } from '../run-call.ts';
import { runOf, runs, shown, type ConsoleRun } from '../runs.ts';
import { useEffect, useState } from 'preact/hooks';
import { Waiting } from '../../parts/waiting.tsx';
import { Viewer } from '../../viewer/viewer.tsx';
import { useElapsed } from '../use-elapsed.ts';
import { phaseReached, phases, wordsFor } from '../run-phases.ts';

export function ResultPanel() {
  const run = runOf(shown.value);
  if (run === undefined) return <NothingYet />;
  const before = goodBefore(run);
  switch (run.state.kind) {
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
function goodBefore({ number }: ConsoleRun): ConsoleRun | undefined {
  return runs.value.find((run) => run.number < number && run.state.kind === 'converted');
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

interface ConvertedOutput {
  readonly blob: Blob;
  readonly type: string;
  readonly runNumber: number;
}

/** `isOld`: a newer run is in progress or has failed. */
export function OutputView({ run, isOld = false }: { readonly run: ConsoleRun; readonly isOld?: boolean }) {
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
            <Button onClick={() => void runCall(bridge).over}>{t('run.again')}</Button>
          )
        }
      >
        {problem.message}
      </Empty>
    );
  if (output === undefined) return <Waiting>{t('loading')}</Waiting>;
  return (
    <div class="run-output" data-old={isOld || output.runNumber !== run.number ? '' : undefined}>
      <Viewer {...output} />
    </div>
  );
}

function fetchOutput(
  { number, state }: ConsoleRun,
  set: {
    readonly setOutput: (output: ConvertedOutput) => void;
    readonly setProblem: (problem: Error | undefined) => void;
  },
): (() => void) | undefined {
  if (state.kind !== 'converted') return undefined;
  let isOver = false;
  const { type } = state.outcome;
  state.blob().then(
    (blob) => {
      if (isOver) return;
      set.setProblem(undefined);
      set.setOutput({ blob, type, runNumber: number });
    },
    (problem: unknown) => {
      if (!isOver) set.setProblem(problem instanceof Error ? problem : new Error(String(problem)));
    },
  );
  return () => {
    isOver = true;
  };
}

export function RunProgress({ run }: { readonly run: ConsoleRun }) {
  const elapsed = useElapsed(run.began);
  const now = phases.indexOf(phaseReached(run.state.kind === 'running' ? run.state.stages : []));
  return (
    <div class="run-progress">
      <h2 class="cut" title={run.title}>
        {run.title}
      </h2>
      <ol aria-label={t('run.progress')}>
        {phases.map((phase, index) => (
          <li
            key={phase}
            data-is={index < now ? 'done' : index === now ? 'now' : 'later'}
            aria-current={index === now ? 'step' : undefined}
          >
            <span class="run-progress-mark">
              {index < now ? (
                <Check size={14} aria-hidden="true" />
              ) : (
                index === now && <span class="spinner" />
              )}
            </span>
            {t(wordsFor(phase))}
          </li>
        ))}
      </ol>
      <p class="faint">{t('run.elapsed', { time: duration(elapsed) })}</p>
    </div>
  );
}
