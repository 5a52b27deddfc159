/**
 * Finds and stops the processes of an installation: services, copies that a user has started, and conversions of the command line.
 * A copy is a launcher (launch/) with the processes that it has started.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { dataFolderPid } from '../../../launch/data-folder-lock.ts';
import { runProgram } from '../../../launch/run-program.ts';
import { dataFolderSwitch } from '../../../launch/service-process.ts';
import { requestStop } from '../../../launch/request-file.ts';
import { runOrThrow, runPowerShell } from '../command.ts';
import { isInside } from './installation-folder.ts';

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** The user as the system names it: `DOMAIN\name` on Windows, the numeric id elsewhere. */
  readonly user: string;
  readonly commandLine: string;
}

/** Running jobs have 30 s to finish. */
const stopTimeoutMs = 45_000;
const pollIntervalMs = 250;

interface StopOptions {
  readonly list?: (folder: string) => Promise<readonly RunningProcess[]>;
  readonly timeoutMs?: number;
}

/** The processes that a stop has ended. */
export interface StoppedCopies {
  /** The launchers, with the data folder of each one that ran a service. */
  readonly launchers: readonly StoppedLauncher[];
  /** Ids of processes that did not end in time and were killed. */
  readonly killed: readonly number[];
}

interface StoppedLauncher extends RunningProcess {
  readonly data: string | undefined;
}

/**
 * Asks all copies of an installation to stop, waits until their running jobs have ended, then kills the remaining processes. This
 * process and its parents continue. @throws Error with a one-sentence message if the processes cannot be listed
 */
export async function stopCopies(
  folder: string,
  { list = listProcesses, timeoutMs = stopTimeoutMs }: StopOptions = {},
): Promise<StoppedCopies> {
  const processes = withoutAncestors(await list(folder), process.pid);
  const launchers = processes.filter(isLauncher).map((launcher) => ({
    ...launcher,
    data: processes.map((child) => dataFolderOf(child, launcher)).find((data) => data !== undefined),
  }));
  for (const launcher of launchers) requestStopOf(launcher);
  const end = performance.now() + timeoutMs;
  while (processes.some(isAlive) && performance.now() < end) await after(pollIntervalMs);
  const killed = processes.filter(isAlive);
  for (const { pid } of killed) kill(pid);
  return { launchers, killed: killed.map(({ pid }) => pid) };
}

/** The launcher of a package runs this script (build/packaging/files). */
const launcherScript = /[\\/]launcher\.cjs"?(?:\s|$)/;

function isLauncher({ commandLine }: RunningProcess): boolean {
  return launcherScript.test(commandLine);
}

/** Returns the arguments of a launcher as one string, quoted as they were given. */
export function launcherArguments(commandLine: string): string {
  return commandLine.split(launcherScript).slice(1).join(' ').trim();
}

/** Returns the data folder in the command line of a service that the launcher has started. */
function dataFolderOf({ commandLine, parent }: RunningProcess, launcher: RunningProcess): string | undefined {
  if (parent !== launcher.pid) return undefined;
  // Windows quotes the whole word, switch included, if the path contains spaces.
  const [, quoted, plain] =
    // eslint-disable-next-line platen/linear-pattern -- Two literal beginnings, each with one loop, in the command line of a process.
    new RegExp(`(?:"${dataFolderSwitch}=([^"]*)"|${dataFolderSwitch}=(\\S*))`).exec(commandLine) ?? [];
  return quoted ?? plain;
}

/** Windows has no signals. There, a launcher reads stop requests from the data folder that it has locked. */
function requestStopOf({ pid, data }: StoppedLauncher): void {
  if (process.platform !== 'win32') kill(pid, 'SIGTERM');
  else if (data !== undefined && dataFolderPid(data) === pid) requestStop(data);
}

function withoutAncestors(processes: readonly RunningProcess[], pid: number): RunningProcess[] {
  const ancestors = new Set<number>();
  for (let next: number | undefined = pid; next !== undefined && !ancestors.has(next);) {
    const current: number = next;
    ancestors.add(current);
    next = current === process.pid ? process.ppid : processes.find((entry) => entry.pid === current)?.parent;
  }
  return processes.filter((entry) => !ancestors.has(entry.pid));
}

function isAlive({ pid }: RunningProcess): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (problem) {
    return (problem as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns whether a process has ended, but its parent has not noticed yet. Such a process can still receive signals. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended, or belongs to another user, and is then reported as running.
  }
}

/** Lists the processes whose program is in the folder. @throws Error with a one-sentence message */
export async function listProcesses(
  folder: string,
  platform: NodeJS.Platform = process.platform,
  run: typeof runProgram = runProgram,
): Promise<RunningProcess[]> {
  if (platform === 'win32') return await listWindowsProcesses(folder, run);
  return platform === 'darwin' ? await listMacProcesses(folder, run) : listLinuxProcesses(folder);
}

function listLinuxProcesses(folder: string): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The kernel appends a note if the file was replaced.
        const program = readlinkSync(`/proc/${name}/exe`).replace(/ \(deleted\)$/, '');
        if (!isInside(program, folder)) return [];
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').filter(Boolean);
        return {
          pid: Number(name),
          parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]),
          user: /^Uid:\s+(\d+)/m.exec(status)?.[1] ?? '?',
          commandLine: words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' '),
        };
      } catch {
        // The process has ended, or belongs to another user.
        return [];
      }
    });
}

async function listMacProcesses(folder: string, run: typeof runProgram): Promise<RunningProcess[]> {
  const out = await runOrThrow(['/bin/ps', '-axww', '-o', 'pid=,ppid=,uid=,args='], { run });
  return [...out.matchAll(/^ *(\d+) +(\d+) +(\d+) +(\S.*)$/gm)]
    .map(([, pid, parent, user = '', commandLine = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      user,
      commandLine,
    }))
    .filter(({ commandLine }) => commandLine.startsWith(`${folder}/`));
}

/**
 * Prints `PID PARENT USER PROGRAM COMMANDLINE` for each process with a program, the last three percent-encoded because the output
 * has the code page of the console. Programs of other users have no path unless this process is elevated.
 */
const windowsProcesses = [
  `$ErrorActionPreference = 'Stop'`,
  `Get-CimInstance Win32_Process | Where-Object { $_.ExecutablePath -and $_.ExecutablePath.StartsWith($env:PLATEN_INSTALLATION, 'OrdinalIgnoreCase') } | ForEach-Object { $owner = Invoke-CimMethod -InputObject $_ -MethodName GetOwner -ErrorAction SilentlyContinue; (@($_.ProcessId, $_.ParentProcessId) + @(($owner.Domain + '\\' + $owner.User), $_.ExecutablePath, [string]$_.CommandLine | ForEach-Object { [Uri]::EscapeDataString([string]$_) })) -join ' ' }`,
].join('; ');

async function listWindowsProcesses(folder: string, run: typeof runProgram): Promise<RunningProcess[]> {
  const out = await runPowerShell(windowsProcesses, { variables: { PLATEN_INSTALLATION: folder }, run });
  return out
    .split(/\r?\n/)
    .map((line) => line.trim().split(' ').map(decodeURIComponent))
    .filter(([, , , program = '']) => program !== '' && isInside(program, folder))
    .map(([pid, parent, user = '', , commandLine = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      user,
      commandLine,
    }));
}
