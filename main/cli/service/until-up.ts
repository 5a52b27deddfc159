/** Waiting for a service that was told to start. */
import { setTimeout as after } from 'node:timers/promises';
import { askOwn } from '../own-address.ts';
import { settingsOf, type Installed } from './installation.ts';

/** Milliseconds until it must answer; a large database may have to be migrated first. */
const patience = 300_000;

/** Milliseconds without a process: launchd and the Task Scheduler start one a moment after they have said they do. */
const grace = 5000;

/** Milliseconds between two looks. */
const pace = 250;

/** Resolves when it answers. @throws Error with one sentence when it does not come to that */
export async function untilUp({ host, plan }: Installed): Promise<void> {
  const end = performance.now() + patience;
  let seen = performance.now();
  while (!(await isUp({ host, plan }))) {
    const [state, now] = [await host.state(plan), performance.now()];
    if (state.running) seen = now;
    if (now > end || now - seen > grace)
      throw new Error(
        `${plan.name} did not come to answer and is ${state.says}; see: ${host.logCommand(plan)}`,
      );
    await after(pace);
  }
}

/** Where any free port will do nobody knows which, and running is all there is to see. */
async function isUp({ host, plan }: Installed): Promise<boolean> {
  const settings = settingsOf(plan);
  if (settings.port === 0) return (await host.state(plan)).running;
  return (await askOwn(settings, '/health')) !== undefined;
}
