/** Saves an output: with a native dialog in the tray window, as a download in a browser. */
import type { Bridge } from '../bridge/bridge.ts';
import { saveBlob } from '../parts/save-blob.ts';
import { showToast } from '../parts/toasts.tsx';
import { runOf } from '../run/runs.ts';

export interface Savable {
  readonly blob: Blob;
  readonly type: string;
  readonly runNumber: number;
}

export async function saveOutput({ native }: Bridge, { blob, type, runNumber }: Savable): Promise<void> {
  const state = runOf(runNumber)?.state;
  const outcome = state?.kind === 'converted' ? state.outcome : undefined;
  const name = outcome?.name ?? `output.${type.split('/')[1] ?? 'bin'}`;
  if (native === undefined || outcome === undefined) {
    saveBlob(blob, name);
    return;
  }
  try {
    await native.saveOutput(outcome.output, name);
  } catch (problem) {
    showToast(problem instanceof Error ? problem.message : String(problem), 'error');
  }
}
