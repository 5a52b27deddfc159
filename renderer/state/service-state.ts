/** Polls the state of the service while the page is visible. */
import { signal } from '@preact/signals';
import type { ConsoleState } from '../../main/console/contract.ts';
import { ServiceError, type Bridge } from '../bridge/bridge.ts';

/** The last known state; undefined until the first response. */
export const service = signal<ConsoleState | undefined>(undefined);

/** Why the last request failed: no response, or access denied. Undefined if it succeeded. */
export const connectionError = signal<ServiceError | undefined>(undefined);

const pollIntervalMs = 2000;

/** Starts polling. Afterwards, `refreshService` polls immediately. */
export function watchService(bridge: Bridge): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const poll = async () => {
    clearTimeout(timer);
    if (!document.hidden) await fetchState(bridge);
    timer = setTimeout(() => void poll(), pollIntervalMs);
  };
  refreshService = poll;
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void poll();
  });
  void poll();
}

export let refreshService: () => Promise<void> = () => Promise.resolve();

async function fetchState(bridge: Bridge): Promise<void> {
  try {
    service.value = await bridge.call('state', {});
    connectionError.value = undefined;
  } catch (problem) {
    connectionError.value =
      problem instanceof ServiceError
        ? problem
        : new ServiceError({ status: 0, reason: 0, message: String(problem) });
  }
}
