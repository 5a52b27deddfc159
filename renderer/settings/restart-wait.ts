/** Waits for a service that was told to start anew. */
import type { Bridge } from '../bridge/bridge.ts';

/** Milliseconds between two questions. */
const every = 1000;

/** Whether it has come back with what the file says; false when nobody waits any more. */
export async function untilBack(bridge: Pick<Bridge, 'call'>, leaving: AbortSignal): Promise<boolean> {
  while (!leaving.aborted) {
    await new Promise((resolve) => setTimeout(resolve, every));
    const isBack = await bridge.call('settings', {}).then(
      ({ restartNeeded }) => !restartNeeded,
      // Silent, or still busy with its end.
      () => false,
    );
    if (isBack) return !leaving.aborted;
  }
  return false;
}
