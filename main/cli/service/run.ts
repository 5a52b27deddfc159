/** `platen service start`, `stop`, `restart`. */
import { setTimeout as after } from 'node:timers/promises';
import type { ParsedArguments } from '../account/words.ts';
import { runAsService } from './as-service.ts';
import {
  installedService,
  isPrivilegedPort,
  assertPermitted,
  serviceCommand,
  settingsOf,
  type Installed,
} from './installation.ts';
import { readServiceId } from './plan.ts';
import { showStatus } from './status.ts';
import { requestLocal } from '../own-address.ts';

export async function startService(words: ParsedArguments): Promise<number> {
  return await startAndWait(await permittedService(words), 'start');
}

export async function restartService(words: ParsedArguments): Promise<number> {
  return await startAndWait(await permittedService(words), 'restart');
}

export async function stopService(words: ParsedArguments): Promise<number> {
  const { host, plan } = await permittedService(words);
  await host.stop(plan);
  const state = await host.state(plan);
  if (state.running) throw new Error(`${plan.name} is still ${state.description}.`);
  process.stdout.write(`${plan.name} is stopped.\n`);
  return 0;
}

/**
 * Starts the service, waits until it responds, and resolves with the exit code. A running service is left alone if
 * a restart would fail.
 * @throws Error with one sentence if the service does not start
 */
export async function startAndWait({ host, plan }: Installed, how: 'restart' | 'start'): Promise<number> {
  await assertStartable({ host, plan }, how);
  if (how === 'restart') await host.stop(plan);
  await host.start(plan);
  await waitUntilUp({ host, plan });
  return await showStatus({ host, plan }, 'table');
}

/** Checks the configuration first, so that problems appear here instead of in a log. */
async function assertStartable({ host, plan }: Installed, how: string): Promise<void> {
  const checked = await runAsService(['config', 'check', '--data', plan.data], {
    identity: await host.ensureUser(plan),
    lowPort: isPrivilegedPort(settingsOf(plan).port),
  });
  if (checked.code === 0) return;
  process.stdout.write(checked.out);
  throw new Error(
    `${plan.name} was not ${how}ed because the start would fail; solve the problems above, then run: ${serviceCommand(how, plan)}`,
  );
}

/** @throws Error with one sentence */
async function permittedService(words: ParsedArguments): Promise<Installed> {
  const installed = await installedService(readServiceId(words));
  await assertPermitted(installed.host, installed.plan);
  return installed;
}

/** Long enough to migrate a large database. */
const startTimeoutMs = 300_000;

/** launchd and the Task Scheduler start the process a moment after they report success. */
const noProcessTimeoutMs = 5000;

const pollIntervalMs = 250;

/** Resolves when the service responds. @throws Error with one sentence if it does not start */
export async function waitUntilUp({ host, plan }: Installed): Promise<void> {
  const end = performance.now() + startTimeoutMs;
  let lastSeenRunning = performance.now();
  while (!(await isUp({ host, plan }))) {
    const state = await host.state(plan);
    const now = performance.now();
    if (state.running) lastSeenRunning = now;
    if (now > end || now - lastSeenRunning > noProcessTimeoutMs)
      throw new Error(
        `${plan.name} did not respond and is ${state.description}; see: ${host.logCommand(plan)}`,
      );
    await after(pollIntervalMs);
  }
}

/** With any free port the URL is unknown, so a running process has to do. */
async function isUp({ host, plan }: Installed): Promise<boolean> {
  const settings = settingsOf(plan);
  if (settings.port === 0) return (await host.state(plan)).running;
  return (await requestLocal(settings, '/health')) !== undefined;
}
