/** Live mode: whether runs follow the call, and which changes trigger a run. */
import { computed, effect, signal } from '@preact/signals';
import type { Bridge } from '../bridge/bridge.ts';
import { file, form, inputKind } from '../call/call.ts';
import { blocker } from '../call/blocker.ts';
import { service } from '../shell/service-state.ts';
import { followCalls, type UnderWay } from './live.ts';
import { runCall } from './run-call.ts';
import { cancelRun, runs } from './runs.ts';

/** The user's choice; undefined: none yet. */
const chosen = signal<boolean | undefined>(undefined);

/** By default on if the account has no credit limit, or is the demo account. */
export const isLive = computed(() => {
  const account = service.value?.account;
  return chosen.value ?? (account !== undefined && (account.balance === undefined || account.demo));
});

export function switchLive(on: boolean): void {
  chosen.value = on;
}

/** Debounce in milliseconds. URLs take longer, so that a half-typed URL is not loaded. */
const quiet = { html: 150, template: 150, file: 150, url: 900 } as const;

/** Runs the call whenever it or its file on disk changes, while live mode is on. Returns a function that stops it. */
export function followLive(bridge: Bridge): () => void {
  const superseded = new Set<number>();
  const live = followCalls({
    quiet: () => quiet[inputKind.peek()],
    start: () => startLive(bridge, superseded),
  });
  const stopCalls = effect(() => {
    if (!isLive.value || blocker.value !== undefined) live.stop();
    // A call that was already run, even without success, is run again only after a change.
    else if (form.value !== runs.peek()[0]?.form) live.changed();
  });
  const stopDisk = effect(() => {
    const input = file.value;
    if (!isLive.value || inputKind.value !== 'file' || input?.kind !== 'disk') return undefined;
    return bridge.native?.watch(input.picked.id, live.changed);
  });
  return () => {
    stopCalls();
    stopDisk();
    live.stop();
  };
}

function startLive(bridge: Bridge, superseded: Set<number>): UnderWay {
  if (blocker.peek() !== undefined) return { over: Promise.resolve(), cancel: () => {} };
  const { number, over } = runCall(bridge);
  // Runs that a newer one replaced are removed from the list.
  runs.value = runs.value.filter((run) => !superseded.delete(run.number) || run.state.kind !== 'cancelled');
  return {
    over,
    cancel: () => {
      superseded.add(number);
      cancelRun(number);
    },
  };
}
