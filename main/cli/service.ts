/** `platen service`: Platen as a service of this machine, under whatever runs services here. */
import { nearest } from '../fields/nearest.ts';
import { settingNames } from '../settings/table.ts';
import { readWords, type FlagKinds, type Words } from './account/words.ts';
import { serviceHelp } from './service/help.ts';
import { installService } from './service/install.ts';
import { restartService, startService, stopService } from './service/run.ts';
import { serviceStatus } from './service/status.ts';
import { uninstallService } from './service/uninstall.ts';
import { UsageProblem } from './usage-problem.ts';

interface Action {
  readonly flags: FlagKinds;
  readonly act: (words: Words) => Promise<number>;
}

const ofSettings: FlagKinds = Object.fromEntries(settingNames.map((name) => [name, 'value']));

const actions: Readonly<Record<string, Action>> = {
  install: {
    flags: { ...ofSettings, as: 'value', writable: 'value', 'no-start': 'switch', print: 'switch' },
    act: installService,
  },
  uninstall: { flags: { purge: 'switch' }, act: uninstallService },
  start: { flags: {}, act: startService },
  stop: { flags: {}, act: stopService },
  restart: { flags: {}, act: restartService },
  status: { flags: { json: 'switch' }, act: serviceStatus },
};

/** Resolves with the exit code. @throws UsageProblem, SettingProblem, Error with one sentence */
export async function service([name, ...parameters]: readonly string[]): Promise<number> {
  if (name === '--help' || parameters.includes('--help')) {
    process.stdout.write(`${serviceHelp}\n`);
    return 0;
  }
  const { flags, act } = actionNamed(name);
  const words = readWords(parameters, { ...flags, name: 'value', user: 'switch' });
  const [more] = words.alone;
  if (more === undefined) return await act(words);
  throw new UsageProblem(`'${more}' is one word too many; 'platen service --help' lists the flags.`);
}

function actionNamed(name: string | undefined): Action {
  const known = Object.keys(actions);
  if (name === undefined) throw new UsageProblem(`service: say what to do: ${known.join(', ')}.`);
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action !== undefined) return action;
  const meant = nearest(name, known);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new UsageProblem(`'service ${name}' is not a command${hint} (known are ${known.join(', ')})`);
}
