/** Finds the service that a click on the application should show, and makes a key for a user who may do everything with it. */
import { closeSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { openAccounts } from '../../accounts/accounts.ts';
import { openKeyring } from '../../accounts/open-keyring.ts';
import { openStore } from '../../accounts/store/open-store.ts';
import { databasePath } from '../../accounts/store/sqlite/sqlite-database.ts';
import { isLocked } from '../../launch/data-folder-lock.ts';
import { clientKeyPurpose, type ClientTarget, type ClientCredentials } from '../../launch/messages.ts';
import { isReadable } from '../../settings/config-file.ts';
import { loadSettings } from '../../settings/load.ts';
import { needsUpgrade } from '../../upgrade/upgrade.ts';
import { requestUrl } from '../local-service.ts';
import { readStoredPlan } from '../service/installation.ts';
import { serviceHostFor } from '../service/hosts.ts';
import type { StoredPlan } from '../service/plan.ts';
import type { ServiceHost } from '../service/service-host.ts';

/**
 * Returns the installed service that is running, the user's own first; undefined if there is none, or if it uses `ownData`, the
 * data folder of a service that this user would start.
 */
export async function findInstalledService(
  ownData: string,
  host = serviceHostFor(process.platform),
): Promise<ClientTarget | undefined> {
  for (const scope of ['user', 'system'] as const) {
    const plan = await readStoredPlan(host, { name: 'platen', scope }).catch(() => undefined);
    if (plan === undefined || plan.data === ownData || !(await isRunning(host, plan))) continue;
    return isReadable(plan.data)
      ? clientTarget(plan.data)
      : { data: plan.data, ...(plan.url !== undefined && { url: plan.url }) };
  }
  return undefined;
}

/** Returns the target for a service whose data folder this user can read. */
export function clientTarget(data: string): ClientTarget {
  const { 'log-file': logFile } = loadSettings({
    flags: ['--data', data],
    environment: {},
    onProblem() {},
  });
  return { data, logsFolder: logFile === undefined ? data : dirname(resolve(data, logFile)) };
}

/** Returns whether the service runs. Without access to its data folder, asks the service manager and the URL in the plan. */
async function isRunning(host: ServiceHost, plan: StoredPlan): Promise<boolean> {
  if (isReadable(plan.data)) return isLocked(plan.data);
  const state = await host.state(plan).catch(() => undefined);
  if (state?.running === true) return true;
  return plan.url !== undefined && (await isPlaten(plan.url));
}

/** Returns whether a service of Platen answers at the URL. */
async function isPlaten(url: string): Promise<boolean> {
  const { status, body = '' } = (await requestUrl(`${url}/health`)) ?? {};
  return status === 200 && body.includes('"status":"alive"');
}

/**
 * Adds a key to the first operator, and revokes the keys of clients that were killed. Returns undefined if this user cannot write
 * to the data folder, if there is no operator, or if the database would have to be upgraded while the service uses it.
 */
export async function createWindowKey(data: string): Promise<ClientCredentials | undefined> {
  const settings = loadSettings({ flags: ['--data', data], environment: {}, onProblem() {} });
  const isShared = settings.database !== undefined;
  if ((!isShared && !isWritable(databasePath(data))) || needsUpgrade(data)) return undefined;
  const store = await openStore({ settings });
  try {
    const book = openAccounts(store.database, {
      demo: false,
      keyring: () => openKeyring({ store, settings }),
      removeLogs: () => Promise.resolve(),
    });
    const operator = (await book.list()).find(({ operator: isOperator, tray }) => isOperator && !tray);
    if (operator === undefined) return undefined;
    for (const key of await book.listKeys(operator.name))
      if (key.name === clientKeyPurpose && key.revokedAt === undefined)
        await book.revokeKey(operator.name, key.id);
    return { user: operator.name, key: await book.addKey(operator.name, clientKeyPurpose) };
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

function isWritable(path: string): boolean {
  try {
    // Opens the file, because access checks no permissions on Windows.
    closeSync(openSync(path, 'r+'));
    return true;
  } catch {
    return false;
  }
}
