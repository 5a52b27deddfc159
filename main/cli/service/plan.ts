/** What a service is to be: made of the words of a command line, and of the service that is there already. Pure. */
import { isAbsolute, resolve } from 'node:path';
import type { Words } from '../account/words.ts';
import { UsageProblem } from '../usage-problem.ts';

/** For the whole machine, without anybody logged in; or for one user. */
export type Scope = 'system' | 'user';

/** Which service is meant. */
export interface Which {
  readonly name: string;
  readonly scope: Scope;
}

/** What an installed service keeps over an installation of the next version. */
export interface KeptPlan extends Which {
  /** Absolute. */
  readonly data: string;
  /** Whom it runs as. */
  readonly as: string;
  /** Folders besides the data folder it may write to, absolute. */
  readonly writable: readonly string[];
}

export interface ServicePlan extends KeptPlan {
  /** The words that start our command line, the first an absolute path. */
  readonly program: readonly string[];
  /** Files the service must be able to read, absolute. */
  readonly reads: readonly string[];
  /** Whether it listens on a port below 1024, which only root may open as a rule. */
  readonly lowPort: boolean;
}

/** @throws UsageProblem for a name that cannot be one */
export function whichService({ flags }: Words): Which {
  const name = flags.get('name') ?? 'platen';
  if (!/^[a-z][a-z0-9_-]{0,31}$/.test(name))
    throw new UsageProblem(
      `--name: '${name}' is not allowed; allowed: up to 32 lower-case letters, digits, - and _, a letter first.`,
    );
  return { name, scope: flags.has('user') ? 'user' : 'system' };
}

interface Bases {
  readonly which: Which;
  /** The service of that name which is installed. */
  readonly kept: KeptPlan | undefined;
  /** What nobody has said. */
  readonly usual: Pick<KeptPlan, 'as' | 'data'>;
}

/** Words beat what is installed, which beats what is usual. @throws UsageProblem */
export function planOf({ flags }: Words, { which, kept, usual }: Bases): KeptPlan {
  if (which.scope === 'user' && flags.has('as'))
    throw new UsageProblem('--as and --user do not go together: a service of a user runs as that user.');
  const [data, writable] = [flags.get('data'), flags.get('writable')];
  const plan = {
    ...which,
    data: data === undefined ? (kept?.data ?? usual.data) : resolve(data),
    as: flags.get('as') ?? kept?.as ?? usual.as,
    writable: writable === undefined ? (kept?.writable ?? []) : foldersIn(writable),
  };
  for (const text of [plan.data, plan.as, ...plan.writable]) refuseControls(text);
  return plan;
}

function foldersIn(text: string): string[] {
  const folders = text
    .split(',')
    .map((folder) => folder.trim())
    .filter((folder) => folder !== '');
  const wrong = folders.find((folder) => !isAbsolute(folder));
  if (wrong !== undefined) throw new UsageProblem(`--writable: '${wrong}' is not an absolute path.`);
  return folders;
}

/** A line feed would begin a line of its own in a unit. */
function refuseControls(text: string): void {
  if (/\p{Cc}/u.test(text))
    throw new UsageProblem(`${JSON.stringify(text)} holds a control character, which no service file can.`);
}
