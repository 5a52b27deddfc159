/** Services of launchd, by launchctl. */
import { rm } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { defaultDataFolder } from '../../settings/data-folder.ts';
import { mayRun, mustRun } from './command.ts';
import { readDefinition, writeDefinition } from './definition-file.ts';
import { launchdLabel, launchdPlist, saidFile } from './launchd-plist.ts';
import type { Which } from './plan.ts';
import { needsRoot, type ServiceHost, type ServiceState } from './service-host.ts';
import { ensureMacUser } from './service-user.ts';

/** Milliseconds a stop may take: jobs have 30 s. */
const patience = 45_000;

export const launchd: ServiceHost = {
  usual: ({ name, scope }) =>
    scope === 'system'
      ? { as: '_platen', data: join('/Library/Application Support', name === 'platen' ? 'Platen' : name) }
      : { as: userInfo().username, data: defaultDataFolder() },
  define: launchdPlist,
  installed: (which) => readDefinition(plistPath(which)),
  obstacle: ({ scope }) =>
    Promise.resolve(scope === 'user' || process.getuid?.() === 0 ? undefined : needsRoot),
  ensureUser: ({ scope, as }) => (scope === 'system' ? ensureMacUser(as) : Promise.resolve(undefined)),
  async install(plan) {
    await stop(plan);
    // launchd reads a list once, when it is told of it.
    await mayRun(['launchctl', 'bootout', target(plan)]);
    await writeDefinition(plistPath(plan), launchdPlist(plan));
    await mayRun(['launchctl', 'enable', target(plan)]);
  },
  async remove(plan) {
    await stop(plan);
    await mayRun(['launchctl', 'bootout', target(plan)]);
    await rm(plistPath(plan), { force: true });
  },
  async start(plan) {
    // What is told of for the first time starts by itself.
    if ((await mayRun(['launchctl', 'print', target(plan)])) === undefined)
      await mustRun(['launchctl', 'bootstrap', domain(plan), plistPath(plan)]);
    else await mustRun(['launchctl', 'kickstart', target(plan)]);
  },
  stop,
  state,
  logCommand: (plan) => `tail -n 50 '${join(plan.data, 'platen.log')}' '${saidFile(plan)}'`,
  settings: { 'log-file': 'platen.log' },
};

/** Exit code 0 is not followed by another start. */
async function stop(which: Which): Promise<void> {
  await mayRun(['launchctl', 'kill', 'SIGTERM', target(which)]);
  const end = performance.now() + patience;
  while ((await state(which)).running && performance.now() < end) await after(250);
}

async function state(which: Which): Promise<ServiceState> {
  const out = (await mayRun(['launchctl', 'print', target(which)])) ?? '';
  const pid = /^\s*pid = (\d+)$/m.exec(out)?.[1];
  if (pid !== undefined) return { running: true, says: `running, process ${pid}` };
  const code = /last exit code = (\S+)/.exec(out)?.[1];
  return { running: false, says: code === undefined ? 'not running' : `not running (exit code ${code})` };
}

function plistPath(which: Which): string {
  const folder =
    which.scope === 'system' ? '/Library/LaunchDaemons' : join(homedir(), 'Library', 'LaunchAgents');
  return join(folder, `${launchdLabel(which)}.plist`);
}

function domain({ scope }: Which): string {
  return scope === 'system' ? 'system' : `gui/${userInfo().uid}`;
}

function target(which: Which): string {
  return `${domain(which)}/${launchdLabel(which)}`;
}
