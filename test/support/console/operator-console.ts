/** Provides the console calls of operators for a temporary data folder, without a running service. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import type { Account } from '../../../main/accounts/account.ts';
import type { AccountBook } from '../../../main/accounts/accounts.ts';
import type { Database } from '../../../main/accounts/store/tables.ts';
import type { ConsoleState } from '../../../main/console/contract.ts';
import { operatorCalls, type OperatorCallDependencies } from '../../../main/console/operator-calls.ts';
import { openPause, type Pause } from '../../../main/conversion/admission.ts';
import { readRawSettings } from '../../../main/settings/raw-settings.ts';
import { temporaryAccounts } from '../accounts/accounts.ts';

export interface OperatorConsole extends AsyncDisposable {
  readonly calls: ReturnType<typeof operatorCalls>;
  readonly book: AccountBook;
  readonly database: Database;
  readonly folder: string;
  readonly configPath: string;
  readonly pause: Pause;
  /** The account `admin`, an operator that the first start of a service creates. */
  readonly admin: Account;
  /** The log lines so far. */
  readonly logLines: Readonly<Record<string, unknown>>[];
}

export interface OperatorConsoleOptions {
  /** The text of config.json; without it, the file does not exist. */
  readonly config?: string;
  /** The environment variables, in addition to PLATEN_DATA. */
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
    log: pino({}, { write }),
    pause,
    environment: allEnvironment,
    activeSettings: readRawSettings({ flags: [], environment: allEnvironment }),
    tryStart: () => Promise.resolve(),
    state: () =>
      Promise.resolve({ status: pause.reason() === undefined ? 'ready' : 'paused' } as ConsoleState),
    ...parts,
  });
  const admin = await temporary.book.find('admin');
  return { ...temporary, calls, configPath, pause, admin, logLines };
}
