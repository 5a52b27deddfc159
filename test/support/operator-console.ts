/** The console calls of an operator on a temporary data folder, without a running service. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { Account } from '../../main/accounts/account.ts';
import type { AccountBook } from '../../main/accounts/accounts.ts';
import type { Database } from '../../main/accounts/store/tables.ts';
import type { ConsoleState } from '../../main/console/contract.ts';
import { operatorCalls, type OperatorCallDependencies } from '../../main/console/operator-calls.ts';
import { openPause, type Pause } from '../../main/conversion/admission.ts';
import { readRawSettings } from '../../main/settings/raw-settings.ts';
import { temporaryAccounts } from './accounts.ts';

export interface OperatorConsole extends AsyncDisposable {
  readonly calls: ReturnType<typeof operatorCalls>;
  readonly book: AccountBook;
  readonly database: Database;
  readonly folder: string;
  readonly configPath: string;
  readonly pause: Pause;
  /** The operator account of the first start. */
  readonly admin: Account;
  /** Lines of the service log. */
  readonly logLines: Readonly<Record<string, unknown>>[];
}

export interface OperatorConsoleOptions {
  /** Text of config.json at the start of the service; absent: no file. */
  readonly config?: string;
  /** Settings by their environment variables; PLATEN_DATA is always set. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly parts?: Partial<Pick<OperatorCallDependencies, 'restart' | 'tryStart'>>;
}

export async function openOperatorConsole({
  config,
  environment = {},
  parts = {},
}: OperatorConsoleOptions = {}): Promise<OperatorConsole> {
  const temporary = await temporaryAccounts();
  const configPath = join(temporary.folder, 'config.json');
  if (config !== undefined) writeFileSync(configPath, config);
  const allEnvironment = { PLATEN_DATA: temporary.folder, ...environment };
  const logLines: Readonly<Record<string, unknown>>[] = [];
  const write = (line: string) => logLines.push(JSON.parse(line) as Record<string, unknown>);
  const pause = openPause();
  const calls = operatorCalls({
    accounts: temporary.book,
    ...{ log: pino({}, { write }), pausing: pause, environment: allEnvironment },
    activeSettings: readRawSettings({ flags: [], environment: allEnvironment }),
    tryStart: () => Promise.resolve(),
    state: () =>
      Promise.resolve({ status: pause.reason() === undefined ? 'ready' : 'paused' } as ConsoleState),
    ...parts,
  });
  const admin = await temporary.book.find('admin');
  return { ...temporary, ...{ calls, configPath, pause, admin, logLines } };
}
