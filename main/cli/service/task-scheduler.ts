/**
 * Manages services on Windows as tasks of the Task Scheduler. A Windows service would have to implement the protocol of the Service
 * Control Manager.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join, win32 } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { dataFolderPid } from '../../launch/data-folder-lock.ts';
import { requestStop } from '../../launch/request-file.ts';
import { defaultDataFolder } from '../../settings/data-folder.ts';
import { messageOf } from '../../failure/failure.ts';
import { tryRun, runOrThrow, runPowerShell } from './command.ts';
import {
  notePrefix,
  planInNote,
  planNote,
  type StoredPlan,
  type ServiceId,
  type ServicePlan,
} from './plan.ts';
import {
  waitForOneTimeRun,
  type FoundService,
  type OneTimeRun,
  type ServiceHost,
  type InstalledServiceState,
} from './service-host.ts';
import { escapeXml } from '../../launch/property-list.ts';
import { quoteForWindows } from '../../launch/launcher-command.ts';
import { runProgram, windowsTool } from '../../launch/run-program.ts';
import { isInside } from './installer/installation-folder.ts';
import { locateRuntime } from '../../launch/runtime.ts';
import { allowConnections, removeFirewallRule } from './windows-firewall.ts';
import { allowWriting, secureDataFolder, systemSid, wellKnownSid } from './windows-access.ts';

/** How long to wait for the service to stop. Its running jobs have 30 s to finish. */
const stopTimeoutMs = 45_000;

/** TASK_STATE_QUEUED and TASK_STATE_RUNNING (taskschd.h). */
const queuedState = '2';
const runningState = '4';

/** SCHED_S_TASK_RUNNING, SCHED_S_TASK_HAS_NOT_RUN and SCHED_S_TASK_QUEUED (winerror.h). */
const pendingResults: ReadonlySet<string> = new Set(['267009', '267011', '267045']);

export const taskScheduler: ServiceHost = {
  defaults: ({ name, scope }) =>
    scope === 'system'
      ? { as: 'NT AUTHORITY\\LocalService', data: join(programData(), name === 'platen' ? 'Platen' : name) }
      : { as: `${process.env.USERDOMAIN ?? '.'}\\${userInfo().username}`, data: defaultDataFolder() },
  definition: taskXml,
  readInstalled: (id) => readTask(taskName(id)),
  async findObstacle({ scope }) {
    if (scope === 'user' || (await isElevated())) return undefined;
    return 'a system service requires an administrator: open the terminal with "Run as administrator", or add --user.';
  },
  ensureUser: () => Promise.resolve(undefined),
  async secureDataFolder(plan, isNew) {
    if (plan.scope === 'system') await secureDataFolder(plan, { isNew });
  },
  async allowWriting(plan, folder) {
    // A task of a user has the rights of that user.
    if (plan.scope === 'system') await allowWriting(plan, folder);
  },
  install: (plan) => installTask(plan),
  allowConnections: (plan) => allowConnections(ruleName(taskName(plan)), locateRuntime().electron),
  uninstall: (plan) => deleteTask(taskName(plan), plan),
  start: (plan) => startTask(taskName(plan)),
  stop: (plan) => stopTask(taskName(plan), plan),
  state,
  findServices,
  findProgramObstacle,
  runOnce,
  logCommand: ({ data }) => `Get-Content -Tail 50 '${join(data, 'platen.log')}'`,
  settings: { 'log-file': 'platen.log' },
};

/**
 * Reports a program in the profile of a user, which only that user, administrators and the system can read. An installation for one
 * user is there. `publicProfile`: the profile that all users can read, in the folder of all profiles.
 */
export function findProgramObstacle(
  { scope, as, program }: ServicePlan,
  publicProfile = process.env.PUBLIC ?? 'C:\\Users\\Public',
): string | undefined {
  const [path = ''] = program;
  const belowProfiles = win32.relative(win32.dirname(publicProfile), path);
  // A path on another drive stays absolute.
  const isInProfile = !belowProfiles.startsWith('..') && !win32.isAbsolute(belowProfiles);
  if (scope === 'user' || !isInProfile) return undefined;
  const [owner = ''] = belowProfiles.split('\\');
  const readers = [win32.basename(as), win32.basename(publicProfile)].map((name) => name.toLowerCase());
  if (readers.includes(owner.toLowerCase()) || wellKnownSid(as) === systemSid) return undefined;
  return `${path} is in the profile of the user ${owner}, which ${as} cannot read; install Platen for all users (the installer's option /allusers), or add --user.`;
}

/** Runs `platen` once as a task, and removes the task afterwards. @throws Error if the task cannot be created */
async function runOnce(plan: ServicePlan, args: readonly string[], outputFile: string): Promise<OneTimeRun> {
  const name = `${taskName(plan)} check`;
  await createTaskOf(plan, { name, xml: oneTimeTaskXml(plan, args, outputFile) });
  try {
    await runOrThrow([windowsTool('schtasks'), '/run', '/tn', name]);
    return await waitForOneTimeRun(outputFile, async () => {
      const { number, result } = await readTaskState(name);
      const hasEnded = number !== runningState && number !== queuedState && !pendingResults.has(result);
      const code = hasEnded ? Number(result) : undefined;
      return { hasEnded, code, description: describeResult(result) };
    });
  } finally {
    await tryRun([windowsTool('schtasks'), '/end', '/tn', name]);
    await tryRun([windowsTool('schtasks'), '/delete', '/tn', name, '/f']);
  }
}

/** ERROR_LOGON_TYPE_NOT_GRANTED (winerror.h), as an HRESULT. */
const batchLogonRefused = '2147943785';

/** Returns a phrase about the last result of a task. */
export function describeResult(result: string): string {
  return result === batchLogonRefused
    ? `the account lacks the right "Log on as a batch job"; grant it in secpol.msc, Local Policies, User Rights Assignment`
    : `last result ${result} of the task`;
}

interface UserTask extends TaskCommand {
  readonly name: string;
  /** The user, who must be logged in. */
  readonly user: string;
}

/**
 * Starts a program in the session of a user, with that user's rights, through a task that is removed immediately. Removing a task
 * does not end its program. @throws Error with a one-sentence message
 */
export async function runTaskAsUser({ name, user, program, args }: UserTask): Promise<void> {
  const task = taskName({ name, scope: 'user' }, win32.basename(user));
  const plan = { name, scope: 'user' as const, as: user, data: win32.dirname(program), writable: [] };
  await createTask(task, taskDefinition(plan, { triggers: '', program, args, isService: false }));
  try {
    await runOrThrow([windowsTool('schtasks'), '/run', '/tn', task]);
  } finally {
    await tryRun([windowsTool('schtasks'), '/delete', '/tn', task, '/f']);
  }
}

/** Returns the XML of a task; undefined if there is none, or if this user may not read it. */
async function readTask(name: string, run = runProgram): Promise<string | undefined> {
  const xml = await tryRun([windowsTool('schtasks'), '/query', '/tn', name, '/xml'], run);
  // Wine's schtasks succeeds without an output.
  return xml === '' ? undefined : xml;
}

/**
 * Creates the task of a service, or replaces it. A new task is disabled until `start` is called, because its trigger would start
 * it within a minute (`--no-start`). A task that is replaced stays enabled or disabled. @throws Error with a one-sentence message
 */
export async function installTask(plan: ServicePlan, run = runProgram): Promise<void> {
  const name = taskName(plan);
  const installed = await readTask(name, run);
  const isEnabled = installed !== undefined && isTaskEnabled(installed);
  await createTaskOf(plan, { name, xml: taskXml(plan, { isEnabled }), run });
}

/**
 * Creates a task that runs as the user of the service. @throws Error with a one-sentence message; for an account that Windows may
 * refuse ([MS-TSCH] 3.2.5.1.1), it names the accounts that Windows accepts. The message of schtasks is localised.
 */
async function createTaskOf(
  { scope, as }: StoredPlan,
  { name, xml, run = runProgram }: { name: string; xml: string; run?: typeof runProgram },
): Promise<void> {
  try {
    await createTask(name, xml, run);
  } catch (cause) {
    if (scope === 'user' || wellKnownSid(as) !== undefined) throw cause;
    throw new Error(
      `${messageOf(cause)} Without the password of ${as}, Windows may refuse a task that runs as this account. It accepts LocalService, NetworkService, SYSTEM and the account of the administrator who runs this command: name one of these with --as.`,
      { cause },
    );
  }
}

/** Creates a task or replaces it. @throws Error with a one-sentence message */
async function createTask(name: string, xml: string, run = runProgram): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-task-'));
  try {
    const file = await writeTaskFile(folder, xml);
    await runOrThrow([windowsTool('schtasks'), '/create', '/tn', name, '/xml', file, '/f'], { run });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Writes the file of a task into a new folder, and returns its path. Refuses a file that exists: an installer that runs as SYSTEM uses
 * C:\Windows\Temp, where every user may create files, and its owner could change the program of the task.
 * @throws the file system's error
 */
export async function writeTaskFile(folder: string, xml: string): Promise<string> {
  const file = join(folder, 'task.xml');
  await writeFile(file, taskFile(xml), { flag: 'wx' });
  return file;
}

/**
 * Returns whether this process has administrator rights, which is the integrity level high or system. whoami lists the level among
 * the groups. Compares SIDs, because the names of groups are localised.
 */
async function isElevated(): Promise<boolean> {
  const groups = await tryRun([windowsTool('whoami'), '/groups', '/fo', 'csv', '/nh']);
  return /"S-1-16-(12288|16384)"/.test(groups ?? '');
}

async function startTask(name: string): Promise<void> {
  await runOrThrow([windowsTool('schtasks'), '/change', '/tn', name, '/enable']);
  await runOrThrow([windowsTool('schtasks'), '/run', '/tn', name]);
}

/**
 * Stops the service. Disables the task, so that its triggers do not start the service again, and requests a graceful stop, because
 * ending a task kills the service.
 */
async function stopTask(name: string, { data }: Pick<StoredPlan, 'data'>): Promise<void> {
  await tryRun([windowsTool('schtasks'), '/change', '/tn', name, '/disable']);
  requestStop(data);
  const end = performance.now() + stopTimeoutMs;
  while (dataFolderPid(data) !== undefined && performance.now() < end) await after(250);
  await tryRun([windowsTool('schtasks'), '/end', '/tn', name]);
}

async function deleteTask(name: string, plan: StoredPlan): Promise<void> {
  await stopTask(name, plan);
  await runOrThrow([windowsTool('schtasks'), '/delete', '/tn', name, '/f']);
  await removeFirewallRule(ruleName(name));
}

function ruleName(task: string): string {
  return `Platen, task ${task}`;
}

/**
 * Begins a script with the folder that contains the tasks, as `$tasks`: the COM interface of the Task Scheduler. Get-ScheduledTask
 * reads all tasks of the machine to find one, and fails if one of them is damaged.
 */
const openTaskFolder = [
  `$ErrorActionPreference = 'Stop'`,
  `$service = New-Object -ComObject Schedule.Service`,
  `$service.Connect()`,
  `$tasks = $service.GetFolder('\\')`,
];

/**
 * Prints `NAME STATE PROGRAM NOTE ARGUMENTS` for each task that has a plan as its note, percent-encoded because the output has the
 * code page of the console. An administrator sees the tasks of all users. 1 is TASK_ENUM_HIDDEN. A task that cannot be read, which
 * belongs to another program or is damaged, is left out.
 */
const serviceTasks = [
  ...openTaskFolder,
  `foreach ($task in $tasks.GetTasks(1)) { try { $definition = $task.Definition; $note = $definition.RegistrationInfo.Documentation; if ($note -like '${notePrefix} *') { $action = $definition.Actions.Item(1); @($task.Name, [int]$task.State, $action.Path, $note, $action.Arguments | ForEach-Object { [Uri]::EscapeDataString([string]$_) }) -join ' ' } } catch { } }`,
].join('; ');

/** Prints the state and the last result of the task in PLATEN_TASK. The result is an HRESULT, which the interface returns signed. */
const taskState = [
  ...openTaskFolder,
  `$task = $tasks.GetTask($env:PLATEN_TASK)`,
  `[int]$task.State`,
  `[int64]$task.LastTaskResult -band 4294967295`,
].join('; ');

/** TASK_STATE_DISABLED (taskschd.h). `stopTask` leaves a task in this state. */
const disabledState = '1';

export async function findServices(
  installation: string,
  _labels: readonly string[] = [],
  run = runProgram,
): Promise<FoundService[]> {
  const out = await runPowerShell(serviceTasks, { run });
  return out.split(/\r?\n/).flatMap((line) => {
    const words = line.trim().split(' ').map(decodeURIComponent);
    const [name = '', number, program = '', note = '', args = ''] = words;
    const plan = planInNote(note);
    const paths = [program, firstQuotedWord(args)];
    if (plan === undefined || !paths.some((path) => win32.isAbsolute(path) && isInside(path, installation)))
      return [];
    return {
      label: name,
      plan,
      isStarted: number !== disabledState,
      stop: () => stopTask(name, plan),
      start: () => startTask(name),
      uninstall: () => deleteTask(name, plan),
    };
  });
}

/** Returns the program in the arguments of cmd.exe (`batchCommand`), or the script in those of Node. */
function firstQuotedWord(args: string): string {
  return /"([^"]+)"/.exec(args)?.[1] ?? '';
}

async function state(id: ServiceId): Promise<InstalledServiceState> {
  const { number, result } = await readTaskState(taskName(id));
  if (number === runningState) return { running: true, description: 'running' };
  return { running: false, description: `not running (last result ${result})` };
}

/**
 * Returns the state and the last result of a task. Uses PowerShell, which returns numbers; the output of schtasks is localised.
 * @throws Error with a one-sentence message if they cannot be read; no state would look like that of a task that has ended
 */
export async function readTaskState(
  name: string,
  run = runProgram,
): Promise<{ readonly number: string; readonly result: string }> {
  const out = await runPowerShell(taskState, { variables: { PLATEN_TASK: name }, run });
  const [, number, result] = /^\s*(\d+)\s+(\d+)\s*$/.exec(out) ?? [];
  if (number !== undefined && result !== undefined) return { number, result };
  throw new Error(`the state of the task '${name}' cannot be read; PowerShell printed: '${out.trim()}'.`);
}

function programData(): string {
  return process.env.ProgramData ?? 'C:\\ProgramData';
}

/**
 * Returns the name of the task. The tasks of all users are in one folder, so the name of a user's task contains the user's name.
 * Replaces characters that task names forbid.
 */
export function taskName({ name, scope }: ServiceId, user = userInfo().username): string {
  return scope === 'system' ? name : `${name} (${user.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_')})`;
}

// The XML definition of the task: task schema 1.2, [MS-TSCH] 2.5. The functions have no side effects. The schema prescribes the
// order of elements in two places: in a trigger, the elements that all triggers have come before those of its type; in Exec, the
// order is Command, Arguments, WorkingDirectory. Microsoft's pages name different orders for the former; this is that of the files
// that Windows exports.

/**
 * Returns the bytes of the task file: UTF-16 with a byte order mark, as the XML declares. Every version of schtasks can read this.
 */
export function taskFile(xml: string): Buffer {
  return Buffer.from(`\ufeff${xml}`, 'utf16le');
}

export function taskXml(plan: ServicePlan, { isEnabled = true } = {}): string {
  // Without a login session there is no tray.
  const tray = plan.scope === 'system' ? ['--tray', 'off'] : [];
  const words = [...plan.program, 'serve', '--data', plan.data, ...tray];
  return taskDefinition(plan, {
    triggers: `${startTrigger(plan)}\n    ${restartTrigger}`,
    isService: true,
    isEnabled,
    ...(isBatchFile(words[0]) ? batchCommand(words.map(quoteForWindows).join(' ')) : directCommand(words)),
  });
}

/** Returns a task without a trigger that runs `platen` with these arguments and writes its output to a file. */
export function oneTimeTaskXml(plan: ServicePlan, args: readonly string[], outputFile: string): string {
  const command = [...plan.program, ...args].map(quoteForWindows).join(' ');
  return taskDefinition(plan, {
    triggers: '',
    isService: false,
    ...batchCommand(`${command} > ${quoteForWindows(outputFile)} 2>&1`),
  });
}

function isBatchFile(program = ''): boolean {
  return /\.(cmd|bat)$/i.test(program);
}

function directCommand([program = '', ...words]: readonly string[]): TaskCommand {
  return { program, args: words.map(quoteForWindows).join(' ') };
}

/**
 * Returns the command of a task that runs a line in cmd.exe, which removes the first and the last quote of the line (`/s`) and leaves
 * the others. For a task that names a batch file, the Task Scheduler starts cmd.exe without these two quotes. cmd.exe then removes the
 * quotes around the path and at the end of the arguments.
 */
function batchCommand(line: string): TaskCommand {
  return { program: windowsTool('cmd'), args: `/d /s /c "${line}"` };
}

/**
 * The access rights to the task of a system service, as SDDL: administrators and the system have full control, and all users may
 * read it, because a click of a user looks for the service (cli/desktop/). By default, only administrators see a task that an
 * administrator has created. It contains no secrets.
 */
const systemTaskAccess = 'D:(A;;FA;;;BA)(A;;FA;;;SY)(A;;FR;;;AU)';

interface TaskCommand {
  readonly program: string;
  /** The arguments as one command line. */
  readonly args: string;
}

interface TaskAction extends TaskCommand {
  /** XML of the triggers. */
  readonly triggers: string;
  /** Whether the task is a service, whose plan it keeps. */
  readonly isService: boolean;
  readonly isEnabled?: boolean;
}

function taskDefinition(
  plan: StoredPlan,
  { triggers, isService, program, args, isEnabled = true }: TaskAction,
): string {
  const note = isService ? `\n    <Documentation>${planNote(plan)}</Documentation>` : '';
  const access =
    isService && plan.scope === 'system'
      ? `\n    <SecurityDescriptor>${systemTaskAccess}</SecurityDescriptor>`
      : '';
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Platen, web pages into PDF documents and images</Description>${note}${access}
  </RegistrationInfo>
  <Triggers>
    ${triggers}
  </Triggers>
  <Principals>
    <Principal id="Author">
      ${principal(plan)}
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
${settings.map(([name, value]) => `    <${name}>${value}</${name}>`).join('\n')}
    <Enabled>${String(isEnabled)}</Enabled>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapeXml(program)}</Command>
      <Arguments>${escapeXml(args)}</Arguments>
      <WorkingDirectory>${escapeXml(plan.data)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
}

/** Returns whether the task of this definition is enabled. Triggers have an element of the same name. */
function isTaskEnabled(xml: string): boolean {
  // eslint-disable-next-line platen/linear-pattern -- Windows returns the definition that this file wrote.
  const [settingsXml = ''] = /<Settings>[^]*<\/Settings>/.exec(xml) ?? [];
  return !/<Enabled>\s*false\s*<\/Enabled>/.test(settingsXml);
}

/**
 * Fires every minute since a day in the past, without an end, which starts a service that has ended. The policy IgnoreNew leaves a
 * running service alone. The repetition needs this trigger: that of a BootTrigger or LogonTrigger begins only when the trigger
 * fires, so not before the next boot or logon after the installation, or after the task was disabled. RestartOnFailure
 * applies only to a task that could not be started, not to one that ended with an error.
 */
const restartTrigger =
  '<TimeTrigger><Repetition><Interval>PT1M</Interval><StopAtDurationEnd>false</StopAtDurationEnd></Repetition><StartBoundary>2020-01-01T00:00:00</StartBoundary><Enabled>true</Enabled></TimeTrigger>';

/** Returns the trigger that starts the service immediately at boot, or when its user logs on. */
function startTrigger({ scope, as }: StoredPlan): string {
  if (scope === 'system') return '<BootTrigger><Enabled>true</Enabled></BootTrigger>';
  return `<LogonTrigger><Enabled>true</Enabled><UserId>${escapeXml(as)}</UserId></LogonTrigger>`;
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
  ['Hidden', 'false'],
  ['RunOnlyIfIdle', 'false'],
  ['WakeToRun', 'false'],
  // No time limit. The default is three days.
  ['ExecutionTimeLimit', 'PT0S'],
  // The priority of ordinary programs. The default, 7, also slows down disk access.
  ['Priority', '5'],
];
