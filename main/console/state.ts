/** What the service does just now, and what the interface must know of it and of who asks. */
import { AccountProblem } from '../accounts/account-problem.ts';
import type { AccountFacts } from '../accounts/account.ts';
import type { AccountBook } from '../accounts/accounts.ts';
import { Failure } from '../failure/failure.ts';
import type { Versions } from '../log/events.ts';
import type { Pausing } from '../pausing.ts';
import type { Settings } from '../settings/table.ts';
import type { Handlers } from './calls.ts';
import type { HotFolderState, State } from './contract.ts';

export interface StateParts {
  readonly settings: Settings & { readonly data: string };
  readonly versions: Versions;
  readonly accounts: Pick<AccountBook, 'find'>;
  readonly engine: Busy;
  readonly preparations: Busy;
  /** Why no job can be taken just now, or undefined. */
  readonly unreadiness: () => Promise<string | undefined>;
  /** While an operator lets no job in. */
  readonly pausing: Pick<Pausing, 'reason'>;
  /** True once no more jobs are taken. */
  readonly stopping: () => boolean;
  readonly hotFolders: () => readonly HotFolderState[];
  /** Where it listens, once it does. */
  readonly url: () => string | undefined;
}

interface Busy {
  readonly state: { readonly working: number; readonly waiting: number };
}

export function stateCall(parts: StateParts): Handlers['state'] {
  const { settings, versions, accounts, engine, preparations } = parts;
  return async (_input, caller, baseUrl) => {
    const { working, waiting } = engine.state;
    return {
      ...(await situation(parts)),
      ...{ working, waiting: waiting + preparations.state.waiting, windows: settings.workers },
      account: accountIn(await factsOf(accounts, caller.name)),
      baseUrl: baseUrl ?? ownAddress(parts),
      ...{ versions, network: settings.network, maxUpload: settings['max-upload'] },
      logsKept: settings['debug-log-keep'],
      ...(caller.operator && { data: settings.data, hotFolders: parts.hotFolders() }),
    };
  };
}

/** As it is known without anybody who has reached it. */
export function ownAddress({ settings, url }: Pick<StateParts, 'settings' | 'url'>): string {
  const address = settings['base-url'] ?? url() ?? `http://127.0.0.1:${settings.port}`;
  // All addresses of the machine are none to go to (RFC 6890).
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

async function situation({ engine, ...parts }: StateParts): Promise<Pick<State, 'is' | 'why'>> {
  if (parts.stopping()) return { is: 'stopping' };
  if (parts.pausing.reason() !== undefined) return { is: 'paused' };
  const why = await parts.unreadiness();
  if (why !== undefined) return { is: 'trouble', why };
  return { is: engine.state.working > 0 ? 'busy' : 'ready' };
}

async function factsOf(accounts: StateParts['accounts'], name: string): Promise<AccountFacts> {
  try {
    return await accounts.find(name);
  } catch (problem) {
    if (!(problem instanceof AccountProblem)) throw problem;
    throw new Failure('unauthorized', 'The account has just been removed.');
  }
}

function accountIn({ name, operator, demo, balance }: AccountFacts): State['account'] {
  return { name, operator, demo, ...(balance !== undefined && { balance }) };
}
