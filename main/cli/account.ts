/** `platen account`: manages accounts, keys and credits from a terminal, whether or not the service is running. */
import { openAccounts, type AccountBook } from '../accounts/accounts.ts';
import { openKeyring } from '../accounts/open-keyring.ts';
import { demoName } from '../accounts/ensure.ts';
import { openDebugLogs } from '../log/debug-logs.ts';
import { debugLogsFolder } from '../settings/data-folder.ts';
import { isDemoEnabled } from '../settings/exposure.ts';
import type { LoadedSettings } from '../settings/load.ts';
import { openCommandStore, storeFlags } from './database/open-store.ts';
import { UsageProblem } from './terminal.ts';
import { findAction, parseArguments } from './arguments.ts';
import type { ParsedArguments, FlagKinds } from '../fields/arguments.ts';
import { accountJson, accountTable, balanceOf, keyTable } from './account/table.ts';
import {
  readBalanceChange,
  readAccountChange,
  readInitialCredits,
  readKeyName,
  readNewName,
  readSingleName,
} from './account/values.ts';

/**
 * Runs the command and resolves with the exit code.
 * @throws UsageProblem, SettingProblem, AccountProblem, Error with a one-sentence message
 */
export async function account(parameters: readonly string[]): Promise<number> {
  if (parameters.includes('--help')) {
    process.stdout.write(`${accountHelp}\n`);
    return 0;
  }
  const [name, ...commandParameters] = parameters;
  const action = findAction('account', accountActions, name);
  const parsed = parseArguments(commandParameters, { ...action.flags, ...storeFlags });
  const runAction = action.read(parsed);
  await using context = await openContext(parsed);
  await runAction(context);
  return 0;
}

async function openContext(parsed: ParsedArguments): Promise<AccountContext & AsyncDisposable> {
  const { settings, store } = await openCommandStore(parsed);
  const ensured = (settings.accounts ?? []).map(({ user }) => user);
  return {
    book: openAccounts(store.database, {
      demo: isDemoEnabled(settings),
      keyring: () => openKeyring({ store, settings }),
      removeLogs: removeLogsWith(settings),
      data: settings.data,
    }),
    namesInSettings: new Set(isDemoEnabled(settings) ? [...ensured, demoName] : ensured),
    print: (line) => process.stdout.write(`${line}\n`),
    warn: (line) => process.stderr.write(`${line}\n`),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function removeLogsWith(settings: LoadedSettings): (ids: string[]) => Promise<void> {
  return async (ids) => {
    await using logs = await openDebugLogs(debugLogsFolder(settings.data), settings['debug-log-keep']);
    await logs.remove(ids);
  };
}

/** Output of `platen account --help`. */
const accountHelp = `usage: platen account add NAME [--credits N|unlimited] [--operator] [flags]   create an account and print its key once
       platen account list [--json]                       list all accounts with balances and keys
       platen account change NAME [--operator on|off] [flags]
       platen account credits NAME [N|+N|-N|unlimited]    print the balance, after changing it if a value is given
       platen account key NAME [--name TEXT]              create another key and print it once
       platen account key NAME --list                     list its keys, including revoked ones
       platen account key NAME --revoke ID                revoke a key
       platen account webhook-secret NAME                 create a new secret for its callbacks and print it once
       platen account remove NAME                         remove an account with its keys, job records and logs

flags of add and change ('none' removes a limit):
  --refill N/day|N/month|none   balance at the start of each calendar day or month
  --jobs-at-once N|none         maximum number of concurrent jobs
  --jobs-per-minute N|none      maximum number of jobs started within any minute
  --debug-log on|off            record a debug log for every job

An account without --credits and --refill is unlimited. An operator can see all jobs, accounts and settings.
flags of all commands: --data DIR, --database URL, --database-password-file FILE and --encryption-key-file FILE, as for serve.
Changes take effect immediately, also while the service runs; on other nodes, a revoked key within 5 seconds.`;

// The actions. Each reads its arguments before the database is opened, so that a usage error changes nothing.

interface AccountContext {
  readonly book: AccountBook;
  /** Names of accounts in the settings. If they are removed, the next start creates them again. */
  readonly namesInSettings: ReadonlySet<string>;
  /** Writes a line to standard output. */
  readonly print: (line: string) => void;
  /** Writes a line to standard error. */
  readonly warn: (line: string) => void;
}

type RunAction = (context: AccountContext) => Promise<void>;

interface AccountAction {
  readonly flags: FlagKinds;
  /** Reads the arguments and returns a function that runs the action. @throws UsageProblem */
  readonly read: (parsed: ParsedArguments) => RunAction;
}

const changeFlags: FlagKinds = {
  refill: 'value',
  'jobs-at-once': 'value',
  'jobs-per-minute': 'value',
  'debug-log': 'value',
};

const accountActions: Readonly<Record<string, AccountAction>> = {
  add: { flags: { ...changeFlags, credits: 'value', operator: 'switch' }, read: add },
  list: { flags: { json: 'switch' }, read: list },
  change: { flags: { ...changeFlags, operator: 'value' }, read: change },
  credits: { flags: {}, read: credits },
  key: { flags: { name: 'value', list: 'switch', revoke: 'value' }, read: key },
  'webhook-secret': { flags: {}, read: webhookSecret },
  remove: { flags: {}, read: remove },
};

function add({ positionals, flags }: ParsedArguments): RunAction {
  const name = readNewName(readSingleName(positionals, 'add NAME [flags]'));
  const account = { name, ...readInitialCredits(flags.get('credits')), ...readAccountChange(flags) };
  if (account.credits === 'unlimited' && account.refill !== undefined && account.refill !== 'none')
    throw new UsageProblem('--refill has no effect with --credits unlimited; leave one of them out.');
  return async (context) => {
    showKey(context, name, await context.book.add(account));
  };
}

function list({ positionals, flags }: ParsedArguments): RunAction {
  if (positionals[0] !== undefined)
    throw new UsageProblem(
      `'${positionals[0]}' is an unexpected argument; usage: platen account list [--json]`,
    );
  return async ({ book, print }) => {
    const accounts = await book.list();
    const listed = await Promise.all(
      accounts.map(async (account) => ({ account, keys: await book.listKeys(account.name) })),
    );
    print(flags.has('json') ? JSON.stringify(listed.map(accountJson), null, 2) : accountTable(listed));
  };
}

function change({ positionals, flags }: ParsedArguments): RunAction {
  const name = readSingleName(positionals, 'change NAME [flags]');
  const changes = readAccountChange(flags);
  if (Object.keys(changes).length === 0)
    throw new UsageProblem(`change: no flag given; 'platen account --help' lists them.`);
  return async ({ book, print }) => {
    print(accountTable([{ account: await book.change(name, changes), keys: [] }]));
  };
}

function credits({ positionals: [name, text, ...rest] }: ParsedArguments): RunAction {
  if (name === undefined || rest.length > 0)
    throw new UsageProblem('usage: platen account credits NAME [N|+N|-N|unlimited]');
  const newBalance = text === undefined ? undefined : readBalanceChange(text);
  return async ({ book, print, warn }) => {
    if (newBalance === undefined) {
      print(balanceOf(await book.find(name)));
      return;
    }
    const { account, reserved } = await book.setCredits(name, newBalance);
    print(balanceOf(account));
    if (reserved !== undefined)
      warn(
        `The balance of ${name} is ${reserved} because running jobs have reserved these credits; set it again when the jobs have ended.`,
      );
  };
}

function key({ positionals, flags }: ParsedArguments): RunAction {
  const account = readSingleName(positionals, 'key NAME [--name TEXT | --list | --revoke ID]');
  const [firstFlag, secondFlag] = ['name', 'list', 'revoke'].filter((flag) => flags.has(flag));
  if (secondFlag !== undefined)
    throw new UsageProblem(`--${firstFlag} and --${secondFlag} cannot be combined.`);
  const id = flags.get('revoke');
  if (id !== undefined) return revoke(account, id);
  if (flags.has('list'))
    return async ({ book, print }) => {
      print(keyTable(await book.listKeys(account)).join('\n'));
    };
  const name = readKeyName(flags.get('name') ?? 'unnamed');
  return async (context) => {
    showKey(context, account, await context.book.addKey(account, name));
  };
}

function revoke(account: string, id: string): RunAction {
  return async ({ book, namesInSettings, print, warn }) => {
    const { name } = await book.revokeKey(account, id);
    print(`revoked key ${id} (${name}) of ${account}`);
    if (namesInSettings.has(account)) warn(recreatedNote(account, 'with the key of the settings'));
  };
}

function webhookSecret({ positionals }: ParsedArguments): RunAction {
  const name = readSingleName(positionals, 'webhook-secret NAME');
  return async ({ book, print, warn }) => {
    const hadSecret = await book.hasWebhookSecret(name);
    print(`secret: ${await book.renewWebhookSecret(name)}`);
    warn(
      'The secret is shown only once. The receivers of callbacks need it to verify them (docs/callbacks.md).',
    );
    if (hadSecret)
      warn(`The former secret of ${name} signs no more callbacks; receivers that still use it refuse them.`);
  };
}

function remove({ positionals }: ParsedArguments): RunAction {
  const name = readSingleName(positionals, 'remove NAME');
  return async ({ book, namesInSettings, print, warn }) => {
    await book.remove(name);
    print(`removed ${name}`);
    if (namesInSettings.has(name)) warn(recreatedNote(name, 'with a new balance and history'));
  };
}

function recreatedNote(name: string, how: string): string {
  return `${name} is listed in the settings, so the next start creates it again ${how}.`;
}

function showKey({ print, warn }: AccountContext, name: string, key: string): void {
  print(`user: ${name}`);
  print(`key: ${key}`);
  warn(`The key is shown only once; 'platen account key ${name}' creates another.`);
}
