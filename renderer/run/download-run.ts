/** Saves the output of a run: with a native dialog in the tray window, or as a download in a browser. */
import type { Bridge } from '../bridge/bridge.ts';
import { saveBlob } from '../parts/save-blob.ts';
import { showToast } from '../parts/toasts.tsx';
import { t } from '../texts/text.ts';
import type { ConsoleRun } from './runs.ts';
import { messageOf } from '../../main/failure/failure.ts';

export async function downloadRun({ native }: Pick<Bridge, 'native'>, { state }: ConsoleRun): Promise<void> {
  if (state.kind !== 'converted') return;
  const { outcome, blob } = state;
  try {
    if (native === undefined) saveBlob(await blob(), outcome.name);
    else if (await native.saveOutput(outcome.output, outcome.name)) showToast(t('run.saved'));
  } catch (problem) {
    showToast(messageOf(problem), 'error');
  }
}
