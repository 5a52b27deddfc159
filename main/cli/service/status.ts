/** `platen service status`: shows whether the service is running, its URL, health and locations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateRuntime } from '../../launch/runtime.ts';
import type { ParsedArguments } from '../../fields/arguments.ts';
import { alignColumns } from '../terminal.ts';
import { localUrl, requestLocal } from '../local-service.ts';
import { commandWith, installedService, settingsOf, type InstalledService } from './installation.ts';
import { readServiceId } from './plan.ts';
import { messageOf } from '../../failure/failure.ts';
import { isReadable } from '../../settings/config-file.ts';

/** The exit code of LSB init scripts for a service that is not running. */
const notRunning = 3;

/**
 * Prints the status. Resolves with the exit code: 0 if the service is running, 3 if it is not running or not installed.
 * @throws UsageProblem
 */
export async function serviceStatus(parsed: ParsedArguments): Promise<number> {
  const format = parsed.flags.has('json') ? 'json' : 'table';
  const id = readServiceId(parsed);
  try {
    return await showStatus(await installedService(id), format);
  } catch (problem) {
    process.stderr.write(`platen: ${messageOf(problem)}\n`);
    return notRunning;
  }
}

/** Prints the status. Resolves with the exit code: 0 if the service is running, otherwise 3. */
export async function showStatus(
  { host, plan }: InstalledService,
  format: 'json' | 'table',
): Promise<number> {
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

async function addressFacts({ plan }: InstalledService, running: boolean) {
  if (!isReadable(plan.data)) {
    const others = process.platform === 'win32' ? 'administrators' : 'root';
    return { address: `unknown: only ${plan.as} and ${others} can read the settings` };
  }
  const settings = settingsOf(plan);
  if (settings.port === 0) return { address: `any free port on ${settings.host}; the log names the port` };
  const address = localUrl(settings);
  if (!running) return { address };
  const response = await requestLocal(settings, '/ready');
  if (response === undefined) return { address, health: 'no response' };
  return { address, health: response.status === 200 ? 'ready' : `not ready: ${toOneLine(response.body)}` };
}

function toOneLine(body: string): string {
  return body.replace(/\s+/g, ' ').trim().slice(0, 200);
}

/** Returns the installed version. A service started before the last update may still run the previous version. */
function version(): string {
  const path = join(locateRuntime().application, 'package.json');
  const { version: number = '?' } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version?: string };
  return number;
}
