/** Manages services with launchd, the service manager of macOS, through launchctl. */
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { defaultDataFolder } from '../../settings/data-folder.ts';
import { tryRun, runOrThrow } from './command.ts';
import {
  readDefinition,
  writeDefinition,
  needsRoot,
  waitForOneTimeRun,
  type FoundService,
  type OneTimeRun,
  type OneTimeState,
  type ServiceHost,
  type InstalledServiceState,
} from './service-host.ts';
import {
  planInNote,
  planNote,
  type ServiceId,
  type ServiceScope,
  type StoredPlan,
  type ServicePlan,
} from './plan.ts';
import { ensureMacUser } from './service-user.ts';
import { escapeXml, propertyList } from '../../launch/property-list.ts';
import { runProgram } from '../../launch/run-program.ts';

/** How long to wait for the service to stop. Its running jobs have 30 s to finish. */
const stopTimeoutMs = 45_000;

/** How long to wait until a job is unloaded. launchd kills a process that has not ended after ExitTimeOut (45 s). */
const unloadTimeoutMs = 60_000;

const pollIntervalMs = 250;

export const launchd: ServiceHost = {
  defaults: ({ name, scope }) =>
    scope === 'system'
      ? { as: '_platen', data: join('/Library/Application Support', name === 'platen' ? 'Platen' : name) }
      : { as: userInfo().username, data: defaultDataFolder() },
  definition: launchdPlist,
  readInstalled: (id) => readDefinition(plistPath(id)),
  findObstacle: ({ scope }) =>
    Promise.resolve(scope === 'user' || process.getuid?.() === 0 ? undefined : needsRoot),
  ensureUser: ({ scope, as }) => (scope === 'system' ? ensureMacUser(as) : Promise.resolve(undefined)),
  async install(plan) {
    // launchd reads a property list only once, when it is loaded.
    await stopJob(plan);
    await writeDefinition(plistPath(plan), launchdPlist(plan));
    await tryRun(['launchctl', 'enable', target(plan)]);
  },
  async uninstall(plan) {
    await stopJob(plan);
    await rm(plistPath(plan), { force: true });
  },
  start: (plan) => startJob(plan),
  stop: (plan) => stopJob(plan),
  state: (id) => state(id),
  findServices,
  runOnce,
  logCommand: (plan) => `tail -n 50 '${join(plan.data, 'platen.log')}' '${stdioFile(plan)}'`,
  settings: { 'log-file': 'platen.log' },
};

/** Runs `platen` once as a daemon, and removes the daemon afterwards. @throws Error if launchd cannot load it */
async function runOnce(plan: ServicePlan, args: readonly string[], outputFile: string): Promise<OneTimeRun> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-check-'));
  const file = join(folder, 'check.plist');
  const service = `system/${checkLabel(plan)}`;
  try {
    // launchd accepts only a file that others cannot write.
    await writeFile(file, oneTimePlist(plan, args, outputFile), { mode: 0o644 });
    await runOrThrow(['launchctl', 'bootstrap', 'system', file]);
    return await waitForOneTimeRun(outputFile, async () =>
      oneTimeState((await tryRun(['launchctl', 'print', service])) ?? ''),
    );
  } finally {
    await tryRun(['launchctl', 'bootout', service]);
    await rm(folder, { recursive: true });
  }
}

/** Reads the output of `launchctl print`. */
export function oneTimeState(printed: string): OneTimeState {
  const code = /^[ \t]*last exit code = (\d+)/m.exec(printed)?.[1];
  const signal = /^[ \t]*last terminating signal = (.+)$/m.exec(printed)?.[1];
  return {
    hasEnded: code !== undefined || signal !== undefined,
    code: code === undefined || signal !== undefined ? undefined : Number(code),
    description: signal ?? (code === undefined ? 'not started' : `exit code ${code}`),
  };
}

/** Finds the daemons, and the agents of this user, that run a program of the installation. */
export async function findServices(
  installation: string,
  _labels: readonly string[] = [],
  run = runProgram,
): Promise<FoundService[]> {
  const scopes: readonly ServiceScope[] = ['system', 'user'];
  const found: FoundService[] = [];
  for (const scope of scopes) {
    const folder = dirname(plistPath({ name: '', scope }));
    for (const file of existsSync(folder) ? readdirSync(folder) : []) {
      // All users can read the files that Platen has written, so an unreadable one belongs to another program.
      const definition = (await readDefinition(join(folder, file)).catch(() => undefined)) ?? '';
      const plan = planInNote(definition);
      if (plan?.scope !== scope || !definition.includes(escapeXml(`${installation}/`))) continue;
      found.push({
        label: launchdLabel(plan),
        plan,
        isStarted: willRun((await tryRun(['launchctl', 'print', target(plan)], run)) ?? ''),
        stop: () => stopJob(plan),
        start: () => startJob(plan),
        uninstall: () => launchd.uninstall(plan),
      });
    }
  }
  return found;
}

/**
 * Returns whether the job runs, or waits until launchd starts it again after a failure (KeepAlive). Reads the output of `launchctl
 * print`, which is empty for a job that is not loaded.
 */
function willRun(printed: string): boolean {
  return /^[ \t]*(pid = \d+|state = spawn scheduled|last exit code = [1-9].*|last terminating signal = .+)$/m.test(
    printed,
  );
}

/**
 * Stops the service with SIGTERM and unloads its job. launchd starts an unloaded job at the next boot or login. A job that stays
 * loaded would be started again if it waits for that after a failure, and a restart within ThrottleInterval would be delayed.
 */
export async function stopJob(id: ServiceId, run = runProgram): Promise<void> {
  await tryRun(['launchctl', 'kill', 'SIGTERM', target(id)], run);
  const end = performance.now() + stopTimeoutMs;
  while ((await state(id, run)).running && performance.now() < end) await after(pollIntervalMs);
  await unload(id, run);
}

/** Unloads the job, and waits until its label is free: until then, launchd refuses to load another job with the label. */
async function unload(id: ServiceId, run = runProgram): Promise<void> {
  const isLoaded = async () => (await tryRun(['launchctl', 'print', target(id)], run)) !== undefined;
  if (!(await isLoaded())) return;
  await tryRun(['launchctl', 'bootout', target(id)], run);
  const end = performance.now() + unloadTimeoutMs;
  while ((await isLoaded()) && performance.now() < end) await after(pollIntervalMs);
}

/** Loads the job, which starts it (RunAtLoad). Does nothing if it runs. @throws Error with a one-sentence message */
export async function startJob(plan: ServiceId, run = runProgram): Promise<void> {
  if ((await state(plan, run)).running) return;
  await unload(plan, run);
  await runOrThrow(['launchctl', 'bootstrap', domain(plan), plistPath(plan)], { run });
  // RunAtLoad does not always start a job that was unloaded a moment ago. This does nothing if the job runs.
  await tryRun(['launchctl', 'kickstart', target(plan)], run);
}

async function state(id: ServiceId, run = runProgram): Promise<InstalledServiceState> {
  const out = (await tryRun(['launchctl', 'print', target(id)], run)) ?? '';
  const pid = /^[ \t]*pid = (\d+)$/m.exec(out)?.[1];
  if (pid !== undefined) return { running: true, description: `running, process ${pid}` };
  const code = /last exit code = (\S+)/.exec(out)?.[1];
  return {
    running: false,
    description: code === undefined ? 'not running' : `not running (exit code ${code})`,
  };
}

function plistPath(id: ServiceId): string {
  const folder =
    id.scope === 'system' ? '/Library/LaunchDaemons' : join(homedir(), 'Library', 'LaunchAgents');
  return join(folder, `${launchdLabel(id)}.plist`);
}

function domain({ scope }: ServiceId): string {
  return scope === 'system' ? 'system' : `gui/${userInfo().uid}`;
}

function target(id: ServiceId): string {
  return `${domain(id)}/${launchdLabel(id)}`;
}

// The property list of a service: launchd.plist(5). The functions have no side effects.

/** Returns the label of the service. It differs from the label of the login entry (app/native-bridge/login-item.ts). */
export function launchdLabel({ name, scope }: ServiceId): string {
  return `${name}.${scope === 'system' ? 'daemon' : 'agent'}`;
}

/** Returns the path of the file for standard output and standard error. The service log has its own, rotated file. */
function stdioFile({ data }: Pick<StoredPlan, 'data'>): string {
  return posix.join(data, 'service.out');
}

export function launchdPlist(plan: ServicePlan): string {
  const stdioPath = stdioFile(plan);
  return propertyList(
    {
      Label: launchdLabel(plan),
      ProgramArguments: [...plan.program, 'serve', '--data', plan.data],
      ...(plan.scope === 'system' && withoutSession(plan)),
      WorkingDirectory: plan.data,
      RunAtLoad: true,
      // The launcher handles crashes; this setting takes effect when the launcher gives up.
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 30,
      // Running jobs have 30 s to finish.
      ExitTimeOut: 45,
      // Otherwise launchd throttles CPU and disk access.
      ProcessType: 'Interactive',
      SoftResourceLimits: { NumberOfFiles: 16_384 },
      HardResourceLimits: { NumberOfFiles: 16_384 },
      Umask: 0o077,
      StandardOutPath: stdioPath,
      StandardErrorPath: stdioPath,
    },
    planNote(plan),
  );
}

function checkLabel(plan: ServiceId): string {
  return `${launchdLabel(plan)}.check`;
}

/** Returns the property list of a daemon that runs `platen` once with these arguments, in the environment of the service. */
export function oneTimePlist(plan: ServicePlan, args: readonly string[], outputFile: string): string {
  return propertyList({
    Label: checkLabel(plan),
    ProgramArguments: [...plan.program, ...args],
    ...withoutSession(plan),
    WorkingDirectory: plan.data,
    RunAtLoad: true,
    LaunchOnlyOnce: true,
    ProcessType: 'Interactive',
    StandardOutPath: outputFile,
    StandardErrorPath: outputFile,
  });
}

/** Returns the settings of a system service. Without a login session it has neither a home folder nor a tray. */
function withoutSession({ as, data }: ServicePlan) {
  return {
    UserName: as,
    EnvironmentVariables: { HOME: data, PATH: '/usr/bin:/bin:/usr/sbin:/sbin', PLATEN_TRAY: 'off' },
  };
}
