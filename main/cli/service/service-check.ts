/** Checks that the service's user can run Platen, with a self-test through the service manager, before the service is installed. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removePlatenFiles } from './data-folder.ts';
import type { ServicePlan } from './plan.ts';
import type { OneTimeRun, ServiceHost } from './service-host.ts';

/** Thrown if a daemon cannot run Electron, because macOS gives it no window server. */
export class WindowServerMissing extends Error {
  override readonly name = 'WindowServerMissing';
}

interface ServiceCheck {
  readonly host: ServiceHost;
  readonly plan: ServicePlan;
  /** Whether this installation created the data folder. */
  readonly isNewDataFolder: boolean;
}

/**
 * Checks the service. If the check fails, removes a data folder that this installation created; an existing folder may contain the
 * accounts of an earlier installation. @throws WindowServerMissing; Error with the obstacle or with the report of the self-test
 */
export async function checkAsService({ host, plan, isNewDataFolder }: ServiceCheck): Promise<void> {
  try {
    await runSelfTestAsService(host, plan);
  } catch (problem) {
    if (isNewDataFolder) await removePlatenFiles(plan.data);
    throw problem;
  }
}

/**
 * Runs the self-test as the service would run. It uses a subfolder of the data folder, so that a running service does not disturb
 * it. Does nothing for a user service, which runs like this command, and on Linux.
 */
async function runSelfTestAsService(host: ServiceHost, plan: ServicePlan): Promise<void> {
  const obstacle = host.findProgramObstacle?.(plan);
  if (obstacle !== undefined) throw new Error(obstacle);
  if (plan.scope === 'user' || host.runOnce === undefined) return;
  const data = join(plan.data, 'service-check');
  const outputFile = join(plan.data, 'service-check.txt');
  try {
    rejectFailure(plan, await host.runOnce(plan, ['self-test', '--data', data], outputFile));
  } finally {
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @throws WindowServerMissing; Error with the report of the self-test */
export function rejectFailure(
  { name, as }: Pick<ServicePlan, 'as' | 'name'>,
  { code, output, description }: OneTimeRun,
  platform: NodeJS.Platform = process.platform,
): void {
  if (code === 0) return;
  // Without a window server, AppKit ends Electron with a signal before it runs any JavaScript, so there is no report.
  if (platform === 'darwin' && /the service ended: SIG[A-Z]+/.test(output))
    throw new WindowServerMissing(
      'macOS gives a daemon no window server, without which Platen cannot start.',
    );
  const report = output === '' ? 'It printed nothing.' : output;
  throw new Error(
    `${name} was not installed, because the self-test failed when ${as} ran it (${description}):\n${report}`,
  );
}
