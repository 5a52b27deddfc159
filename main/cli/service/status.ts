/** `platen service status`: shows whether the service is running, its URL, health and locations. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateRuntime } from '../../launch/runtime.ts';
import type { ParsedArguments } from '../account/words.ts';
import { alignColumns } from '../terminal.ts';
import { localUrl, requestLocal } from '../own-address.ts';
import { commandWith, installedService, settingsOf, type Installed } from './installation.ts';
import { readServiceId } from './plan.ts';
import { messageOf } from '../../failure/message-of.ts';

/** Exit code of LSB init scripts. */
const notRunning = 3;

/** Resolves with the exit code: 0 if it is running, 3 if not running or not installed. @throws UsageProblem */
export async function serviceStatus(words: ParsedArguments): Promise<number> {
  const form = words.flags.has('json') ? 'json' : 'table';
  const which = readServiceId(words);
  try {
    return await showStatus(await installedService(which), form);
  } catch (problem) {
    process.stderr.write(`platen: ${messageOf(problem)}\n`);
    return notRunning;
  }
}

/** Resolves with the exit code: 0 if it is running. */
export async function showStatus({ host, plan }: Installed, format: 'json' | 'table'): Promise<number> {
  const { running, description } = await host.state(plan);
  const facts = {
    ...(await addressFacts({ host, plan }, running)),
    version: version(),
    data: plan.data,
    user: plan.as,
    log: host.logCommand(plan),
    settings: commandWith('config', 'show', '--data', plan.data),
    'a key': commandWith('account', 'key', 'admin', '--data', plan.data),
  };
  const json = JSON.stringify({ name: plan.name, running, state: description, ...facts }, null, 2);
  const table = alignColumns([[plan.name, description], ...Object.entries(facts)]).join('\n');
  process.stdout.write(`${format === 'json' ? json : table}\n`);
  return running ? 0 : notRunning;
}

async function addressFacts({ plan }: Installed, running: boolean) {
  if (!isReadable(plan.data)) return { address: 'unknown: only its user and root can read its settings' };
  const settings = settingsOf(plan);
  if (settings.port === 0) return { address: `any free port on ${settings.host}; its log names the port` };
  const address = localUrl(settings);
  if (!running) return { address };
  const answer = await requestLocal(settings, '/ready');
  if (answer === undefined) return { address, health: 'no response' };
  return { address, health: answer.status === 200 ? 'ready' : `not ready: ${toOneLine(answer.body)}` };
}

function toOneLine(body: string): string {
  return body.replace(/\s+/g, ' ').trim().slice(0, 200);
}

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The installed version; a service started before the last update may still run the previous one. */
function version(): string {
  const path = join(locateRuntime().application, 'package.json');
  const { version: number = '?' } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version?: string };
  return number;
}
