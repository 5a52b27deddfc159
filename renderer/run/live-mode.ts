/** Whether runs follow the call just now, and from where they hear of changes. */
import { computed, effect, signal } from '@preact/signals';
import type { Bridge } from '../bridge/bridge.ts';
import { file, form, inputKind } from '../call/call.ts';
import { obstacle } from '../call/obstacle.ts';
import { service } from '../shell/service-state.ts';
import { followCalls, type UnderWay } from './live.ts';
import { runCall } from './run-call.ts';
import { cancelRun, runs } from './runs.ts';

/** What a person said; undefined: nothing yet. */
const chosen = signal<boolean | undefined>(undefined);

/** On where runs cost nothing that could run out. */
export const isLive = computed(() => {
  const account = service.value?.account;
  return chosen.value ?? (account !== undefined && (account.balance === undefined || account.demo));
});

export function switchLive(on: boolean): void {
  chosen.value = on;
}

/** Milliseconds; an address is not to be loaded half-written. */
const quiet = { html: 150, template: 150, file: 150, url: 900 } as const;

/** Follows the call, and what it names on the disk, as long as the mode is on; returns how to stop. */
export function followLive(bridge: Bridge): () => void {
  const superseded = new Set<number>();
  const live = followCalls({
    quiet: () => quiet[inputKind.peek()],
    start: () => startLive(bridge, superseded),
  });
  const stopCalls = effect(() => {
    if (!isLive.value || obstacle.value !== undefined) live.stop();
    // What has been run already, whatever became of it, waits for a change.
    else if (form.value !== runs.peek()[0]?.form) live.changed();
  });
  const stopDisk = effect(() => {
    const input = file.value;
    if (!isLive.value || inputKind.value !== 'file' || input?.kind !== 'disk') return undefined;
    return bridge.desk?.watch(input.chosen.id, live.changed);
  });
  return () => {
    stopCalls();
    stopDisk();
    live.stop();
  };
}

function startLive(bridge: Bridge, superseded: Set<number>): UnderWay {
  if (obstacle.peek() !== undefined) return { over: Promise.resolve(), cancel: () => {} };
  const { number, over } = runCall(bridge);
  // Nobody will look for a run that gave way to a newer one.
  runs.value = runs.value.filter((run) => !superseded.delete(run.number) || run.state.is !== 'cancelled');
  return {
    over,
    cancel: () => {
      superseded.add(number);
      cancelRun(number);
    },
  };
}
