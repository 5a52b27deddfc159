/** The pages or the image of a run. Until they have loaded, the output of the previous run stays visible. */
import { FileX2 } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { useBridge } from '../bridge/bridge.ts';
import { blocker } from '../call/blocker.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { t } from '../texts/text.ts';
import { Viewer } from '../viewer/viewer.tsx';
import { runCall } from './run-call.ts';
import type { Run } from './runs.ts';

interface Output {
  readonly blob: Blob;
  readonly type: string;
  readonly runNumber: number;
}

/** `isOld`: a newer run is in progress or has failed. */
export function OutputView({ run, isOld = false }: { readonly run: Run; readonly isOld?: boolean }) {
  const bridge = useBridge();
  const [output, setOutput] = useState<Output>();
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
  { number, state }: Run,
  set: {
    readonly setOutput: (output: Output) => void;
    readonly setProblem: (problem: Error | undefined) => void;
  },
): (() => void) | undefined {
  if (state.is !== 'converted') return undefined;
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
