/** `platen service status`: whether it runs, where it is reached, how it is, and where its things are. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateRuntime } from '../../launch/runtime.ts';
import type { Words } from '../account/words.ts';
import { aligned } from '../aligned.ts';
import { addressOf, askOwn } from '../own-address.ts';
import { commandWith, installedService, settingsOf, type Installed } from './installation.ts';
import { whichService } from './plan.ts';

/** As the scripts of LSB have it. */
const notRunning = 3;

/** Resolves with the exit code: 0 while it runs, 3 when it does not or is not installed. @throws UsageProblem */
export async function serviceStatus(words: Words): Promise<number> {
  const form = words.flags.has('json') ? 'json' : 'table';
  const which = whichService(words);
  try {
    return await showStatus(await installedService(which), form);
  } catch (problem) {
    process.stderr.write(`platen: ${problem instanceof Error ? problem.message : String(problem)}\n`);
    return notRunning;
  }
}

/** Resolves with the exit code: 0 while it runs. */
export async function showStatus({ host, plan }: Installed, form: 'json' | 'table'): Promise<number> {
  const { running, says } = await host.state(plan);
  const facts = {
    ...(await reached({ host, plan }, running)),
    version: version(),
    data: plan.data,
    user: plan.as,
    log: host.logCommand(plan),
    settings: commandWith('config', 'show', '--data', plan.data),
    'a key': commandWith('account', 'key', 'admin', '--data', plan.data),
  };
  const json = JSON.stringify({ name: plan.name, running, state: says, ...facts }, null, 2);
  const table = aligned([[plan.name, says], ...Object.entries(facts)]).join('\n');
  process.stdout.write(`${form === 'json' ? json : table}\n`);
  return running ? 0 : notRunning;
}

async function reached({ plan }: Installed, running: boolean) {
  if (!isReadable(plan.data))
    return { address: 'not known to you: its settings can be read by its user and by root alone' };
  const settings = settingsOf(plan);
  if (settings.port === 0) return { address: `a free port on ${settings.host}, which its log names` };
  const address = addressOf(settings);
  if (!running) return { address };
  const answer = await askOwn(settings, '/ready');
  if (answer === undefined) return { address, health: 'no answer' };
  return { address, health: answer.status === 200 ? 'ready' : `not ready: ${inOneLine(answer.body)}` };
}

function inOneLine(body: string): string {
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

/** Of the program that is installed; a service that was started before the last upgrade is still the one before. */
function version(): string {
  const path = join(locateRuntime().application, 'package.json');
  const { version: number = '?' } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version?: string };
  return number;
}
