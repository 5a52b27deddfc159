/** What `platen account` can do: each action reads its words first, so that a wrong one touches no database. */
import type { AccountBook } from '../../accounts/accounts.ts';
import { UsageProblem } from '../usage-problem.ts';
import { accountJson, accountTable, balanceOf, keyTable } from './table.ts';
import { balanceChange, changeOf, firstCredits, keyName, newName, onlyName } from './values.ts';
import type { FlagKinds, Words } from './words.ts';

/** What actions work with. */
export interface Desk {
  readonly book: AccountBook;
  /** Names the next start makes again, because they stand in the settings. */
  readonly settled: ReadonlySet<string>;
  /** A line on standard output. */
  readonly say: (line: string) => void;
  /** A line beside it, on standard error. */
  readonly note: (line: string) => void;
}

type Act = (desk: Desk) => Promise<void>;

export interface AccountAction {
  readonly flags: FlagKinds;
  /** @throws UsageProblem */
  readonly read: (words: Words) => Act;
}

const changeable: FlagKinds = {
  refill: 'value',
  'jobs-at-once': 'value',
  'jobs-per-minute': 'value',
  'debug-log': 'value',
};

export const accountActions: Readonly<Record<string, AccountAction>> = {
  add: { flags: { ...changeable, credits: 'value', operator: 'switch' }, read: add },
  list: { flags: { json: 'switch' }, read: list },
  change: { flags: { ...changeable, operator: 'value' }, read: change },
  credits: { flags: {}, read: credits },
  key: { flags: { name: 'value', list: 'switch', revoke: 'value' }, read: key },
  remove: { flags: {}, read: remove },
};

function add({ alone, flags }: Words): Act {
  const name = newName(onlyName(alone, 'add NAME [flags]'));
  const wanted = { name, ...firstCredits(flags.get('credits')), ...changeOf(flags) };
  if (wanted.credits === 'unlimited' && wanted.refill !== undefined && wanted.refill !== 'none')
    throw new UsageProblem('--refill: an account with --credits unlimited has nothing to refill.');
  return async (desk) => {
    showKey(desk, name, await desk.book.add(wanted));
  };
}

function list({ alone, flags }: Words): Act {
  if (alone[0] !== undefined)
    throw new UsageProblem(`'${alone[0]}' is one word too many; usage: platen account list [--json]`);
  return async ({ book, say }) => {
    const accounts = await book.list();
    const listed = await Promise.all(
      accounts.map(async (account) => ({ account, keys: await book.listKeys(account.name) })),
    );
    say(flags.has('json') ? JSON.stringify(listed.map(accountJson), null, 2) : accountTable(listed));
  };
}

function change({ alone, flags }: Words): Act {
  const name = onlyName(alone, 'change NAME [flags]');
  const wanted = changeOf(flags);
  if (Object.keys(wanted).length === 0)
    throw new UsageProblem(`nothing to change; 'platen account --help' lists the flags.`);
  return async ({ book, say }) => {
    say(accountTable([{ account: await book.change(name, wanted), keys: [] }]));
  };
}

function credits({ alone: [name, text, ...rest] }: Words): Act {
  if (name === undefined || rest.length > 0)
    throw new UsageProblem('usage: platen account credits NAME [N|+N|-N|unlimited]');
  const wanted = text === undefined ? undefined : balanceChange(text);
  return async ({ book, say, note }) => {
    if (wanted === undefined) {
      say(balanceOf(await book.find(name)));
      return;
    }
    const { account, keptFor } = await book.setCredits(name, wanted);
    say(balanceOf(account));
    if (keptFor !== undefined)
      note(`Jobs under way hold ${keptFor} credits, so ${name} keeps as many; set them again when they end.`);
  };
}

function key({ alone, flags }: Words): Act {
  const account = onlyName(alone, 'key NAME [--name WHAT | --list | --revoke ID]');
  const [one, other] = ['name', 'list', 'revoke'].filter((flag) => flags.has(flag));
  if (other !== undefined) throw new UsageProblem(`--${one} and --${other} do not go together.`);
  const id = flags.get('revoke');
  if (id !== undefined) return revoke(account, id);
  if (flags.has('list'))
    return async ({ book, say }) => {
      say(keyTable(await book.listKeys(account)).join('\n'));
    };
  const name = keyName(flags.get('name') ?? 'unnamed');
  return async (desk) => {
    showKey(desk, account, await desk.book.addKey(account, name));
  };
}

function revoke(account: string, id: string): Act {
  return async ({ book, settled, say, note }) => {
    const { name } = await book.revokeKey(account, id);
    say(`revoked key ${id} (${name}) of ${account}`);
    if (settled.has(account)) note(comesBack(account, 'with the key of the settings'));
  };
}

function remove({ alone }: Words): Act {
  const name = onlyName(alone, 'remove NAME');
  return async ({ book, settled, say, note }) => {
    await book.remove(name);
    say(`removed ${name}`);
    if (settled.has(name)) note(comesBack(name, 'without what it was'));
  };
}

function comesBack(name: string, how: string): string {
  return `${name} stands in the settings, so it is there again after the next start, ${how}.`;
}

function showKey({ say, note }: Desk, name: string, key: string): void {
  say(`user: ${name}`);
  say(`key: ${key}`);
  note(`The key is shown this once; 'platen account key ${name}' makes another.`);
}
