/** The console's calls of an operator on a data folder of a test's own, without a service around them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { Account } from '../../main/accounts/account.ts';
import type { AccountBook } from '../../main/accounts/accounts.ts';
import type { Database } from '../../main/accounts/tables.ts';
import type { State } from '../../main/console/contract.ts';
import { operatorCalls, type OperatorParts } from '../../main/console/operator-calls.ts';
import { openPause, type Pause } from '../../main/conversion/admission.ts';
import { readRawSettings } from '../../main/settings/written.ts';
import { temporaryAccounts } from './accounts.ts';

export interface OperatorDesk extends AsyncDisposable {
  readonly calls: ReturnType<typeof operatorCalls>;
  readonly book: AccountBook;
  readonly database: Database;
  readonly folder: string;
  readonly config: string;
  readonly pausing: Pause;
  /** The operator made at the first start. */
  readonly admin: Account;
  /** What was told to the service's log. */
  readonly lines: Readonly<Record<string, unknown>>[];
}

export interface DeskStart {
  /** Text of config.json when the service starts; absent: there is none. */
  readonly config?: string;
  /** Settings by their variables; PLATEN_DATA is there besides. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly parts?: Partial<Pick<OperatorParts, 'restart' | 'tryStart'>>;
}

export async function openOperatorDesk({
  config,
  environment = {},
  parts = {},
}: DeskStart = {}): Promise<OperatorDesk> {
  const held = await temporaryAccounts();
  const path = join(held.folder, 'config.json');
  if (config !== undefined) writeFileSync(path, config);
  const all = { PLATEN_DATA: held.folder, ...environment };
  const lines: Readonly<Record<string, unknown>>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>);
  const pausing = openPause();
  const calls = operatorCalls({
    accounts: held.book,
    ...{ log: pino({}, { write }), pausing, environment: all },
    inForce: readRawSettings({ flags: [], environment: all }),
    tryStart: () => Promise.resolve(),
    state: () => Promise.resolve({ is: pausing.reason() === undefined ? 'ready' : 'paused' } as State),
    ...parts,
  });
  const admin = await held.book.find('admin');
  return { ...held, ...{ calls, config: path, pausing, admin, lines } };
}
