/** Asks for the service's state once a second, for the tray. */
import type { State } from '../console/contract.ts';
import type { LoginEntry } from './login-item.ts';
import type { TrayView } from './tray-menu.ts';

export interface StateWatch extends Disposable {
  /** At once; also what was found. */
  readonly look: () => Promise<TrayView>;
}

interface Parts {
  readonly state: () => Promise<Pick<State, 'is' | 'why' | 'working' | 'waiting'>>;
  readonly login: Pick<LoginEntry, 'read'>;
  readonly show: (view: TrayView) => void;
}

/** Milliseconds. */
const every = 1000;

export function watchState({ state, login, show }: Parts): StateWatch {
  let asking: Promise<TrayView> | undefined;
  let ended = false;
  const look = () => {
    // One that takes long is waited for, not asked again.
    asking ??= ask().finally(() => (asking = undefined));
    return asking;
  };
  const ask = async () => {
    const { is, why, working, waiting } = await state().catch(() => unknown);
    const { on, possible } = login.read();
    const view = { is, why, working, waiting, startsAtLogin: possible ? on : undefined };
    if (!ended) show(view);
    return view;
  };
  const timer = setInterval(() => void look(), every);
  return {
    look,
    [Symbol.dispose]() {
      ended = true;
      clearInterval(timer);
    },
  };
}

const unknown = { is: 'trouble', why: undefined, working: 0, waiting: 0 } as const;
