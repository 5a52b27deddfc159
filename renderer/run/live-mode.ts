/** Live mode: runs the request automatically after each change. */
import { computed, effect, signal } from '@preact/signals';
import type { Bridge } from '../bridge/bridge.ts';
import { file, form, inputKind } from '../call/call.ts';
import { blocker } from '../call/blocker.ts';
import { service } from '../state/service-state.ts';
import { openLiveRuns, type RunHandle } from './live.ts';
import { runRequest } from './run-request.ts';
import { cancelRun, runs } from './runs.ts';

/** The choice of the user; undefined until the user switches live mode on or off. */
const userChoice = signal<boolean | undefined>(undefined);

/** Whether live mode is on. By default, it is on for the demo account and for accounts with unlimited credits. */
export const isLive = computed(() => {
  const account = service.value?.account;
  return userChoice.value ?? (account !== undefined && (account.balance === undefined || account.demo));
});

export function setLive(on: boolean): void {
  userChoice.value = on;
}

/** The debounce for URLs is longer, so that a half-typed URL is not loaded. */
const debounceMs = { html: 150, template: 150, file: 150, url: 900 } as const;

/**
 * While live mode is on, runs the request after each change to the request or to its file on disk. Returns a function that stops
 * this.
 */
export function startLiveMode(bridge: Bridge): () => void {
  const superseded = new Set<number>();
  const live = openLiveRuns({
    debounceMs: () => debounceMs[inputKind.peek()],
    start: () => startLive(bridge, superseded),
  });
  const stopWatchingCall = effect(() => {
    if (!isLive.value || blocker.value !== undefined) live.stop();
    // A request that has already run, even without success, runs again only after a change.
    else if (form.value !== runs.peek()[0]?.form) live.onChange();
  });
  const stopWatchingFile = effect(() => {
    const input = file.value;
    if (!isLive.value || inputKind.value !== 'file' || input?.kind !== 'disk') return undefined;
    return bridge.native?.watch(input.picked.id, live.onChange);
  });
  return () => {
    stopWatchingCall();
    stopWatchingFile();
    live.stop();
  };
}

function startLive(bridge: Bridge, superseded: Set<number>): RunHandle {
  if (blocker.peek() !== undefined) return { ended: Promise.resolve(), cancel: () => {} };
  const { number, ended } = runRequest(bridge);
  // Removes cancelled runs that a newer run of live mode replaced.
  runs.value = runs.value.filter((run) => !superseded.delete(run.number) || run.state.kind !== 'cancelled');
  return {
    ended,
    cancel: () => {
      superseded.add(number);
      cancelRun(number);
    },
  };
}
