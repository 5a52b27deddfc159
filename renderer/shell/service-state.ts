/** What the service says of itself, asked again and again while somebody looks. */
import { signal } from '@preact/signals';
import type { State } from '../../main/console/contract.ts';
import { Refused, type Bridge } from '../bridge/bridge.ts';

/** Undefined until it has answered once. */
export const service = signal<State | undefined>(undefined);

/** Why it cannot be asked just now: it does not answer, or does not let us in. */
export const silence = signal<Refused | undefined>(undefined);

const every = 2000;

/** Begins to ask; `askNow` asks at once. */
export function watchService(bridge: Bridge): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async () => {
    clearTimeout(timer);
    if (!document.hidden) await look(bridge);
    timer = setTimeout(() => void ask(), every);
  };
  askNow = ask;
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void ask();
  });
  void ask();
}

export let askNow: () => Promise<void> = () => Promise.resolve();

async function look(bridge: Bridge): Promise<void> {
  try {
    service.value = await bridge.call('state', {});
    silence.value = undefined;
  } catch (problem) {
    silence.value =
      problem instanceof Refused ? problem : new Refused({ status: 0, reason: 0, message: String(problem) });
  }
}
