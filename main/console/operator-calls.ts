/** What operators alone may do in the console: pause, restart, settings, accounts. */
import type { Account } from '../accounts/account.ts';
import { Failure } from '../failure/failure.ts';
import type { Pausing } from '../pausing.ts';
import { accountCalls, type AccountCallParts } from './account-calls.ts';
import type { Handlers } from './calls.ts';
import { nextSettings, settingsCalls, type SettingsDeskParts } from './settings-calls.ts';

export interface OperatorParts extends AccountCallParts, Omit<SettingsDeskParts, 'restartable'> {
  readonly pausing: Pausing;
  readonly state: Handlers['state'];
  /** Tells the launcher; absent where there is none. */
  readonly restart?: (() => void) | undefined;
}

type OperatorCalls = Omit<Handlers, 'state' | 'jobs' | 'job' | 'log' | 'selfTest'>;

export function operatorCalls(parts: OperatorParts): OperatorCalls {
  const { pausing, state, log } = parts;
  return {
    async pause(_input, ...who) {
      if (pausing.begin()) log.info({ by: who[0].name }, 'paused: no new jobs until it is resumed');
      return await state({}, ...who);
    },
    async resume(_input, ...who) {
      if (pausing.end()) log.info({ by: who[0].name }, 'resumed');
      return await state({}, ...who);
    },
    async restart(_input, caller) {
      await restart(parts, caller);
      return null;
    },
    ...settingsCalls({ ...parts, restartable: parts.restart !== undefined }),
    ...accountCalls(parts),
  };
}

/** Only where the next start would not fail for what config.json says by now. */
async function restart(parts: OperatorParts, caller: Account): Promise<void> {
  if (parts.restart === undefined)
    throw new Failure(
      'valueNotAllowed',
      'This service has no launcher that would start it anew; restart it where it was started.',
    );
  await nextSettings(parts);
  parts.log.info({ by: caller.name }, 'a restart was asked for');
  parts.restart();
}
