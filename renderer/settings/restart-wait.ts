/** Waits for the service to restart. */
import type { Bridge } from '../bridge/bridge.ts';

/** Polling interval in milliseconds. */
const every = 1000;

/** Resolves to true when the service runs with the settings of the file, or to false when aborted. */
export async function waitForRestart(bridge: Pick<Bridge, 'call'>, leaving: AbortSignal): Promise<boolean> {
  while (!leaving.aborted) {
    await new Promise((resolve) => setTimeout(resolve, every));
    const isBack = await bridge.call('settings', {}).then(
      ({ restartNeeded }) => !restartNeeded,
      // No response, or the old process is still stopping.
      () => false,
    );
    if (isBack) return !leaving.aborted;
  }
  return false;
}
