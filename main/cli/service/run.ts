/** `platen service start`, `stop`, `restart`. */
import type { Words } from '../account/words.ts';
import { runAsService } from './as-service.ts';
import {
  installedService,
  isLow,
  refuseWithoutRights,
  serviceCommand,
  settingsOf,
  type Installed,
} from './installation.ts';
import { whichService } from './plan.ts';
import { showStatus } from './status.ts';
import { untilUp } from './until-up.ts';

export async function startService(words: Words): Promise<number> {
  return await startAndWait(await allowed(words), 'start');
}

export async function restartService(words: Words): Promise<number> {
  return await startAndWait(await allowed(words), 'restart');
}

export async function stopService(words: Words): Promise<number> {
  const { host, plan } = await allowed(words);
  await host.stop(plan);
  const state = await host.state(plan);
  if (state.running) throw new Error(`${plan.name} is still ${state.says}.`);
  process.stdout.write(`${plan.name} is stopped.\n`);
  return 0;
}

/**
 * Resolves with the exit code, when it answers. What runs is left alone where another start would fail.
 * @throws Error with one sentence when it does not come to that
 */
export async function startAndWait({ host, plan }: Installed, how: 'restart' | 'start'): Promise<number> {
  await refuseFaulty({ host, plan }, how);
  if (how === 'restart') await host.stop(plan);
  await host.start(plan);
  await untilUp({ host, plan });
  return await showStatus({ host, plan }, 'table');
}

/** What would stop a start is told here, not in a log nobody knows of yet. */
async function refuseFaulty({ host, plan }: Installed, how: string): Promise<void> {
  const checked = await runAsService(['config', 'check', '--data', plan.data], {
    identity: await host.ensureUser(plan),
    lowPort: isLow(settingsOf(plan).port),
  });
  if (checked.code === 0) return;
  process.stdout.write(checked.out);
  throw new Error(
    `${plan.name} was not ${how}ed, since it would fail; put that right, then: ${serviceCommand(how, plan)}`,
  );
}

/** @throws Error with one sentence */
async function allowed(words: Words): Promise<Installed> {
  const installed = await installedService(whichService(words));
  await refuseWithoutRights(installed.host, installed.plan);
  return installed;
}
