/** Saves an output where the user wants it. */
import type { Bridge } from '../bridge/bridge.ts';
import { saveBlob } from '../parts/save-blob.ts';
import { showToast } from '../parts/toasts.tsx';
import { t } from '../texts/text.ts';
import type { Run } from './runs.ts';

export async function downloadRun(bridge: Bridge, run: Run | undefined): Promise<void> {
  if (run?.state.is !== 'converted') return;
  const { outcome, blob } = run.state;
  try {
    if (bridge.native === undefined) saveBlob(await blob(), outcome.name);
    else if (await bridge.native.saveOutput(outcome.output, outcome.name)) showToast(t('run.saved'));
  } catch (problem) {
    showToast(problem instanceof Error ? problem.message : String(problem), 'error');
  }
}
