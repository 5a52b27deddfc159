/** Services of Windows, as tasks of its Task Scheduler: so no program of ours has to speak the protocol of services. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { userOfDataFolder } from '../../launch/data-folder-lock.ts';
import { askToStop } from '../../launch/stop-request.ts';
import { defaultDataFolder } from '../../settings/data-folder.ts';
import { mayRun, mustRun } from './command.ts';
import type { KeptPlan, Which } from './plan.ts';
import type { ServiceHost, ServiceState } from './service-host.ts';
import { taskXml, wellKnownAccount } from './task-xml.ts';

/** Milliseconds a stop may take: jobs have 30 s. */
const patience = 45_000;

/** TASK_STATE_RUNNING (taskschd.h). */
const runningState = '4';

export const taskScheduler: ServiceHost = {
  usual: ({ name, scope }) =>
    scope === 'system'
      ? { as: 'NT AUTHORITY\\LocalService', data: join(programData(), name === 'platen' ? 'Platen' : name) }
      : { as: `${process.env.USERDOMAIN ?? '.'}\\${userInfo().username}`, data: defaultDataFolder() },
  define: taskXml,
  installed: ({ name }) => mayRun(['schtasks', '/query', '/tn', name, '/xml']),
  async obstacle({ scope }) {
    // Only administrators may ask that.
    if (scope === 'user' || (await mayRun(['net', 'session'])) !== undefined) return undefined;
    return 'a service of the whole machine needs an administrator: open the terminal with "Run as administrator", or add --user.';
  },
  ensureUser: () => Promise.resolve(undefined),
  giveData,
  async install(plan) {
    const folder = await mkdtemp(join(tmpdir(), 'platen-task-'));
    try {
      const file = join(folder, 'task.xml');
      await writeFile(file, `\ufeff${taskXml(plan)}`, 'utf16le');
      await mustRun(['schtasks', '/create', '/tn', plan.name, '/xml', file, '/f']);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  async remove(plan) {
    await stop(plan);
    await mustRun(['schtasks', '/delete', '/tn', plan.name, '/f']);
  },
  async start({ name }) {
    await mustRun(['schtasks', '/run', '/tn', name]);
  },
  stop,
  state,
  logCommand: ({ data }) => `Get-Content -Tail 50 '${join(data, 'platen.log')}'`,
  settings: { 'log-file': 'platen.log' },
};

/** To it and administrators alone: what is converted is nobody else's affair. */
async function giveData({ scope, as, data }: KeptPlan): Promise<void> {
  if (scope === 'user') return;
  const known = wellKnownAccount(as);
  const user = known === undefined ? as : `*${known}`;
  const rights = [`${user}:(OI)(CI)M`, '*S-1-5-32-544:(OI)(CI)F', '*S-1-5-18:(OI)(CI)F'];
  await mustRun(['icacls', data, '/inheritance:r', '/grant:r', ...rights]);
}

/** Ending a task is killing it, so it is asked before. */
async function stop({ name, data }: KeptPlan): Promise<void> {
  askToStop(data);
  const end = performance.now() + patience;
  while (userOfDataFolder(data) !== undefined && performance.now() < end) await after(250);
  await mayRun(['schtasks', '/end', '/tn', name]);
}

/** What schtasks says is in the language of the machine; this is a number. */
async function state({ name }: Which): Promise<ServiceState> {
  const question = `[int](Get-ScheduledTask -TaskName '${name}').State; (Get-ScheduledTaskInfo -TaskName '${name}').LastTaskResult`;
  const out = await mayRun(['powershell', '-NoProfile', '-NonInteractive', '-Command', question]);
  const [number, result = '?'] = (out ?? '').trim().split(/\s+/);
  if (number === runningState) return { running: true, says: 'running' };
  return { running: false, says: `not running (last result ${result})` };
}

function programData(): string {
  return process.env.ProgramData ?? 'C:\\ProgramData';
}
