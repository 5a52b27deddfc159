/** `platen account`: accounts, keys and credits, from a terminal, whether the service runs or not. */
import { openAccounts } from '../accounts/accounts.ts';
import { databasePath, openDatabase } from '../accounts/database.ts';
import { demoName } from '../accounts/ensure.ts';
import { nearest } from '../fields/nearest.ts';
import { actAsOwnerOf } from '../launch/act-as-owner.ts';
import { openDebugLogs } from '../log/debug-logs.ts';
import { DataFolderInUse, lockDataFolder } from '../launch/data-folder-lock.ts';
import { debugLogsFolder } from '../settings/data-folder.ts';
import { demoIsOn } from '../settings/demo.ts';
import { loadSettings } from '../settings/load.ts';
import { dataFolderOf } from '../settings/written.ts';
import { needsUpgrade, refuseNewer, upgradeDataFolder } from '../upgrade/upgrade.ts';
import { accountActions, type AccountAction, type Desk } from './account/actions.ts';
import { accountHelp } from './account/help.ts';
import { readWords, type Words } from './account/words.ts';
import { sayAside } from './say.ts';
import { UsageProblem } from './usage-problem.ts';

/** Resolves with the exit code. @throws UsageProblem, SettingProblem, AccountProblem, Error with one sentence */
export async function account(parameters: readonly string[]): Promise<number> {
  if (parameters.includes('--help')) {
    process.stdout.write(`${accountHelp}\n`);
    return 0;
  }
  const [name, ...rest] = parameters;
  const action = actionNamed(name);
  const words = readWords(rest, { ...action.flags, data: 'value' });
  const act = action.read(words);
  await using desk = await openDesk(words);
  await act(desk);
  return 0;
}

function actionNamed(name: string | undefined): AccountAction {
  const known = Object.keys(accountActions);
  if (name === undefined) throw new UsageProblem(`account: say what to do: ${known.join(', ')}.`);
  const action = Object.hasOwn(accountActions, name) ? accountActions[name] : undefined;
  if (action !== undefined) return action;
  const meant = nearest(name, known);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new UsageProblem(`'account ${name}' is not a command${hint} (known are ${known.join(', ')})`);
}

async function openDesk(words: Words): Promise<Desk & AsyncDisposable> {
  const data = words.flags.get('data');
  const sources = { flags: data === undefined ? [] : ['--data', data], environment: process.env };
  refuseNewer(dataFolderOf(sources));
  const settings = loadSettings(sources);
  actAsOwnerOf(settings.data);
  await upgradeUnlessRunning(settings.data);
  const database = await openDatabase(databasePath(settings.data));
  const ensured = (settings.accounts ?? []).map(({ user }) => user);
  return {
    book: openAccounts(database, { demo: demoIsOn(settings), removeLogs: logRemoval(settings) }),
    settled: new Set(demoIsOn(settings) ? [...ensured, demoName] : ensured),
    say: (line) => process.stdout.write(`${line}\n`),
    note: (line) => process.stderr.write(`${line}\n`),
    [Symbol.asyncDispose]: () => database.destroy(),
  };
}

/** A service that runs on the folder has done it, if it is of this version. @throws Error with one sentence */
async function upgradeUnlessRunning(data: string): Promise<void> {
  if (!needsUpgrade(data)) return;
  try {
    using _lock = lockDataFolder(data);
    await upgradeDataFolder({ data, say: sayAside });
  } catch (problem) {
    if (!(problem instanceof DataFolderInUse)) throw problem;
    const sentence = `${problem.message} That is a service of an older version; stop it, so that the folder can be upgraded.`;
    throw new Error(sentence, { cause: problem });
  }
}

function logRemoval(settings: ReturnType<typeof loadSettings>): (ids: string[]) => Promise<void> {
  return async (ids) => {
    using logs = await openDebugLogs(debugLogsFolder(settings.data), settings['debug-log-keep']);
    await logs.remove(ids);
  };
}
