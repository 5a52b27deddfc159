/** `platen service start`, `stop` and `restart`. */
import { setTimeout as after } from 'node:timers/promises';
import type { ParsedArguments } from '../../fields/arguments.ts';
import { runAsService } from './run-as-service-user.ts';
import {
  changeableService,
  isPrivilegedPort,
  serviceCommand,
  settingsOf,
  type InstalledService,
} from './installation.ts';
import { readServiceId } from './plan.ts';
import { showStatus } from './status.ts';
import { requestLocal } from '../local-service.ts';

export async function startService(parsed: ParsedArguments): Promise<number> {
  return await startAndWait(await changeableService(readServiceId(parsed)), 'start');
}

export async function restartService(parsed: ParsedArguments): Promise<number> {
  return await startAndWait(await changeableService(readServiceId(parsed)), 'restart');
}

export async function stopService(parsed: ParsedArguments): Promise<number> {
  const { host, plan } = await changeableService(readServiceId(parsed));
  await host.stop(plan);
  const state = await host.state(plan);
  if (state.running) throw new Error(`${plan.name} is still ${state.description}.`);
  process.stdout.write(`${plan.name} is stopped.\n`);
  return 0;
}

/**
 * Starts or restarts the service, waits until it responds, and resolves with the exit code. If a restart would fail, the running
 * service is not stopped.
 * @throws Error with a one-sentence message if the service does not start
 */
export async function startAndWait(
  { host, plan }: InstalledService,
  action: 'restart' | 'start',
): Promise<number> {
  await assertStartable({ host, plan }, action);
  if (action === 'restart') await host.stop(plan);
  await host.start(plan);
  await waitUntilResponding({ host, plan });
  return await showStatus({ host, plan }, 'table');
}

/** Checks the configuration first, so that problems are shown here, not only in a log. @throws Error with a one-sentence message */
async function assertStartable({ host, plan }: InstalledService, action: string): Promise<void> {
  const result = await runAsService(['config', 'check', '--data', plan.data], {
    identity: await host.ensureUser(plan),
    mayUsePrivilegedPort: isPrivilegedPort(settingsOf(plan).port),
  });
  if (result.code === 0) return;
  process.stdout.write(result.out);
  throw new Error(
    `${plan.name} was not ${action}ed because the start would fail; solve the problems above, then run: ${serviceCommand(action, plan)}`,
  );
}

/** Long enough to migrate a large database. */
const startTimeoutMs = 300_000;

/**
 * Time without a process after which the start counts as failed. launchd and the Task Scheduler report success a moment before the
 * process starts.
 */
const noProcessTimeoutMs = 5000;

const pollIntervalMs = 250;

/** Waits until the service responds. @throws Error with a one-sentence message if it does not start */
export async function waitUntilResponding({ host, plan }: InstalledService): Promise<void> {
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

/** Returns whether the service responds. With port 0 its URL is unknown, so a running process is enough. */
async function isUp({ host, plan }: InstalledService): Promise<boolean> {
  const settings = settingsOf(plan);
  if (settings.port === 0) return (await host.state(plan)).running;
  return (await requestLocal(settings, '/health')) !== undefined;
}
