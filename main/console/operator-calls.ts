/** The console calls that only operators may make: pause, restart, settings and accounts. */
import type { Account } from '../accounts/account.ts';
import { Failure } from '../failure/failure.ts';
import type { Pause } from '../conversion/admission.ts';
import { accountCalls, type AccountCallDependencies } from './account-calls.ts';
import type { Handlers } from './calls.ts';
import { nextSettings, settingsCalls, type SettingsCallDependencies } from './settings-calls.ts';

export interface OperatorCallDependencies
  extends AccountCallDependencies, Omit<SettingsCallDependencies, 'restartable'> {
  readonly pause: Pause;
  readonly state: Handlers['state'];
  /** Requests a restart from the launcher; absent without a launcher. */
  readonly restart?: (() => void) | undefined;
}

type OperatorCalls = Omit<
  Handlers,
  'state' | 'jobs' | 'job' | 'cancelJob' | 'log' | 'selfTest' | 'nodes' | 'drainNode'
>;

export function operatorCalls(dependencies: OperatorCallDependencies): OperatorCalls {
  const { pause, state, log } = dependencies;
  return {
    async pause(_input, caller, baseUrl) {
      if (pause.begin())
        log.info(
          { by: caller.name },
          'paused: no new jobs are accepted until an operator resumes the service',
        );
      return await state({}, caller, baseUrl);
    },
    async resume(_input, caller, baseUrl) {
      if (pause.end()) log.info({ by: caller.name }, 'resumed');
      return await state({}, caller, baseUrl);
    },
    async restart(_input, caller) {
      await restart(dependencies, caller);
      return null;
    },
    ...settingsCalls({ ...dependencies, restartable: dependencies.restart !== undefined }),
    ...accountCalls(dependencies),
  };
}

/**
 * Restarts the service.
 * @throws Failure valueNotAllowed if there is no launcher, or a start with the current config.json would fail
 */
async function restart(dependencies: OperatorCallDependencies, caller: Account): Promise<void> {
  if (dependencies.restart === undefined)
    throw new Failure(
      'valueNotAllowed',
      'This service was started without the launcher, so it cannot restart itself; restart it from where it was started.',
    );
  await nextSettings(dependencies);
  dependencies.log.info({ by: caller.name }, 'a restart was requested');
  dependencies.restart();
}
