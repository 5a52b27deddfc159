/**
 * Manages services on Windows as tasks of the Task Scheduler. A Windows service would have to implement the protocol of the Service
 * Control Manager.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { dataFolderPid } from '../../launch/data-folder-lock.ts';
import { requestStop } from '../../launch/stop-request.ts';
import { defaultDataFolder } from '../../settings/data-folder.ts';
import { tryRun, runOrThrow } from './command.ts';
import { planNote, type StoredPlan, type ServiceId, type ServicePlan } from './plan.ts';
import type { ServiceHost, ServiceState } from './service-host.ts';
import { escapeXml } from '../../launch/property-list.ts';
import { quoteForWindows } from '../../launch/launcher-command.ts';
import { windowsTool } from '../../launch/run-program.ts';

/** How long to wait for the service to stop. Its running jobs have 30 s to finish. */
const stopTimeoutMs = 45_000;

/** TASK_STATE_RUNNING (taskschd.h). */
const runningState = '4';

export const taskScheduler: ServiceHost = {
  defaults: ({ name, scope }) =>
    scope === 'system'
      ? { as: 'NT AUTHORITY\\LocalService', data: join(programData(), name === 'platen' ? 'Platen' : name) }
      : { as: `${process.env.USERDOMAIN ?? '.'}\\${userInfo().username}`, data: defaultDataFolder() },
  definition: taskXml,
  readInstalled: (id) => tryRun([windowsTool('schtasks'), '/query', '/tn', taskName(id), '/xml']),
  async findObstacle({ scope }) {
    if (scope === 'user' || (await isElevated())) return undefined;
    return 'a system service requires an administrator: open the terminal with "Run as administrator", or add --user.';
  },
  ensureUser: () => Promise.resolve(undefined),
  restrictDataFolder,
  async install(plan) {
    const folder = await mkdtemp(join(tmpdir(), 'platen-task-'));
    try {
      const file = join(folder, 'task.xml');
      await writeFile(file, taskFile(plan));
      await runOrThrow([windowsTool('schtasks'), '/create', '/tn', taskName(plan), '/xml', file, '/f']);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  async uninstall(plan) {
    await stop(plan);
    await runOrThrow([windowsTool('schtasks'), '/delete', '/tn', taskName(plan), '/f']);
  },
  async start(plan) {
    await runOrThrow([windowsTool('schtasks'), '/change', '/tn', taskName(plan), '/enable']);
    await runOrThrow([windowsTool('schtasks'), '/run', '/tn', taskName(plan)]);
  },
  stop,
  state,
  logCommand: ({ data }) => `Get-Content -Tail 50 '${join(data, 'platen.log')}'`,
  settings: { 'log-file': 'platen.log' },
};

/** Restricts access to the data folder to the service's account, administrators and the system. */
async function restrictDataFolder({ scope, as, data }: StoredPlan): Promise<void> {
  if (scope === 'user') return;
  const sid = wellKnownSid(as);
  const user = sid === undefined ? as : `*${sid}`;
  const rights = [`${user}:(OI)(CI)M`, '*S-1-5-32-544:(OI)(CI)F', '*S-1-5-18:(OI)(CI)F'];
  await runOrThrow([windowsTool('icacls'), data, '/inheritance:r', '/grant:r', ...rights]);
}

/**
 * Returns whether this process has administrator rights, which is the integrity level high or system. whoami lists the level among
 * the groups. Compares SIDs, because the names of groups are localized.
 */
async function isElevated(): Promise<boolean> {
  const groups = await tryRun([windowsTool('whoami'), '/groups', '/fo', 'csv', '/nh']);
  return /"S-1-16-(12288|16384)"/.test(groups ?? '');
}

/**
 * Stops the service. Disables the task, so that its trigger does not start the service again, and requests a graceful stop, because
 * ending a task kills the service.
 */
async function stop(plan: StoredPlan): Promise<void> {
  const { data } = plan;
  await tryRun([windowsTool('schtasks'), '/change', '/tn', taskName(plan), '/disable']);
  requestStop(data);
  const end = performance.now() + stopTimeoutMs;
  while (dataFolderPid(data) !== undefined && performance.now() < end) await after(250);
  await tryRun([windowsTool('schtasks'), '/end', '/tn', taskName(plan)]);
}

/** Returns the state. Uses the number that PowerShell returns, because the output of schtasks is localized. */
async function state(id: ServiceId): Promise<ServiceState> {
  const task = `-TaskPath '\\' -TaskName '${taskName(id)}'`;
  const script = `[int](Get-ScheduledTask ${task}).State; (Get-ScheduledTaskInfo ${task}).LastTaskResult`;
  const out = await tryRun([windowsTool('powershell'), '-NoProfile', '-NonInteractive', '-Command', script]);
  const [number, result = '?'] = (out ?? '').trim().split(/\s+/);
  if (number === runningState) return { running: true, description: 'running' };
  return { running: false, description: `not running (last result ${result})` };
}

function programData(): string {
  return process.env.ProgramData ?? 'C:\\ProgramData';
}

/**
 * Returns the name of the task. The tasks of all users are in one folder, so the name of a user's task contains the user's name.
 * Replaces characters that task names forbid, and the quote of PowerShell.
 */
export function taskName({ name, scope }: ServiceId, user = userInfo().username): string {
  return scope === 'system' ? name : `${name} (${user.replace(/[\\/:*?"<>|'\p{Cc}]/gu, '_')})`;
}

// The XML definition of the task: task schema 1.2, [MS-TSCH] 2.5. The functions have no side effects. The schema prescribes the
// order of elements in two places: in a trigger, the elements that all triggers have come before those of its type; in Exec, the
// order is Command, Arguments, WorkingDirectory.

/** The well-known SIDs of Windows' built-in service accounts, which have no password. */
const wellKnownSids: Readonly<Record<string, string>> = {
  localservice: 'S-1-5-19',
  networkservice: 'S-1-5-20',
  system: 'S-1-5-18',
};

/**
 * Returns the bytes of the task file: UTF-16 with a byte order mark, as the XML declares. Every version of schtasks can read this.
 */
export function taskFile(plan: ServicePlan): Buffer {
  return Buffer.from(`\ufeff${taskXml(plan)}`, 'utf16le');
}

export function taskXml(plan: ServicePlan): string {
  // Without a login session there is no tray.
  const tray = plan.scope === 'system' ? ['--tray', 'off'] : [];
  const [program, ...words]: readonly string[] = [...plan.program, 'serve', '--data', plan.data, ...tray];
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Platen, web pages into PDF documents and images</Description>
    <Documentation>${planNote(plan)}</Documentation>
  </RegistrationInfo>
  <Triggers>
    ${trigger(plan)}
  </Triggers>
  <Principals>
    <Principal id="Author">
      ${principal(plan)}
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
${settings.map(([name, value]) => `    <${name}>${value}</${name}>`).join('\n')}
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapeXml(program ?? '')}</Command>
      <Arguments>${escapeXml(words.map(quoteForWindows).join(' '))}</Arguments>
      <WorkingDirectory>${escapeXml(plan.data)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
}

/** Returns the SID of a built-in service account; undefined for any other account. */
function wellKnownSid(as: string): string | undefined {
  const name = as
    .toLowerCase()
    .replace(/^nt authority\\/, '')
    .replaceAll(' ', '');
  return wellKnownSids[name];
}

/**
 * Fires the trigger every minute, which starts a service that has ended. The policy IgnoreNew leaves a running service alone.
 * RestartOnFailure cannot replace this: it applies only to a task that could not be started, not to one that ended with an error.
 */
const repetition =
  '<Repetition><Interval>PT1M</Interval><StopAtDurationEnd>false</StopAtDurationEnd></Repetition>';

function trigger({ scope, as }: StoredPlan): string {
  if (scope === 'system') return `<BootTrigger>${repetition}<Enabled>true</Enabled></BootTrigger>`;
  return `<LogonTrigger>${repetition}<Enabled>true</Enabled><UserId>${escapeXml(as)}</UserId></LogonTrigger>`;
}

/**
 * Returns the principal. The logon type S4U runs the task as the user without a stored password, but without access to network
 * shares.
 */
function principal({ scope, as }: StoredPlan): string {
  const sid = wellKnownSid(as);
  if (sid !== undefined) return `<UserId>${sid}</UserId>`;
  const logon = scope === 'system' ? 'S4U' : 'InteractiveToken';
  return `<UserId>${escapeXml(as)}</UserId>\n      <LogonType>${logon}</LogonType>`;
}

const settings: readonly (readonly [name: string, value: string])[] = [
  ['MultipleInstancesPolicy', 'IgnoreNew'],
  ['DisallowStartIfOnBatteries', 'false'],
  ['StopIfGoingOnBatteries', 'false'],
  ['AllowHardTerminate', 'true'],
  ['StartWhenAvailable', 'true'],
  ['RunOnlyIfNetworkAvailable', 'false'],
  ['AllowStartOnDemand', 'true'],
  ['Enabled', 'true'],
  ['Hidden', 'false'],
  ['RunOnlyIfIdle', 'false'],
  ['WakeToRun', 'false'],
  // No time limit. The default is three days.
  ['ExecutionTimeLimit', 'PT0S'],
  // The priority of ordinary programs. The default, 7, also slows down disk access.
  ['Priority', '5'],
];
