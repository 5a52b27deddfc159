/** `platen service start`, `stop`, `restart`. */
import { setTimeout as after } from 'node:timers/promises';
import type { ParsedArguments } from '../arguments.ts';
import { runAsService } from './run-as-service-user.ts';
import {
  installedService,
  isPrivilegedPort,
  assertPermitted,
  serviceCommand,
  settingsOf,
  type InstalledService,
} from './installation.ts';
import { readServiceId } from './plan.ts';
import { showStatus } from './status.ts';
import { requestLocal } from '../local-service.ts';

export async function startService(parsed: ParsedArguments): Promise<number> {
  return await startAndWait(await permittedService(parsed), 'start');
}

export async function restartService(parsed: ParsedArguments): Promise<number> {
  return await startAndWait(await permittedService(parsed), 'restart');
}

export async function stopService(parsed: ParsedArguments): Promise<number> {
  const { host, plan } = await permittedService(parsed);
  await host.stop(plan);
  const state = await host.state(plan);
  if (state.running) throw new Error(`${plan.name} is still ${state.description}.`);
  process.stdout.write(`${plan.name} is stopped.\n`);
  return 0;
}

/**
 * Starts the service, waits until it responds, and resolves with the exit code. If a restart would fail, the running
 * service continues.
 * @throws Error with one sentence if the service does not start
 */
export async function startAndWait(
  { host, plan }: InstalledService,
  action: 'restart' | 'start',
): Promise<number> {
  await assertStartable({ host, plan }, action);
  if (action === 'restart') await host.stop(plan);
  await host.start(plan);
  await waitUntilUp({ host, plan });
  return await showStatus({ host, plan }, 'table');
}

/** Checks the configuration first, so that problems appear here instead of in a log. */
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

/** @throws Error with one sentence */
async function permittedService(parsed: ParsedArguments): Promise<InstalledService> {
  const installed = await installedService(readServiceId(parsed));
  await assertPermitted(installed.host, installed.plan);
  return installed;
}

/** Long enough to migrate a large database. */
const startTimeoutMs = 300_000;

/** launchd and the Task Scheduler start the process a moment after they report success. */
const noProcessTimeoutMs = 5000;

const pollIntervalMs = 250;

/** Resolves when the service responds. @throws Error with one sentence if it does not start */
export async function waitUntilUp({ host, plan }: InstalledService): Promise<void> {
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

/** With port 0 the URL is unknown, so a running process counts as up. */
async function isUp({ host, plan }: InstalledService): Promise<boolean> {
  const settings = settingsOf(plan);
  if (settings.port === 0) return (await host.state(plan)).running;
  return (await requestLocal(settings, '/health')) !== undefined;
}
