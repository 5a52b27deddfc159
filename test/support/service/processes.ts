/** Finds the processes of a service by their parent processes and command lines. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { windowsTool } from '../../../main/launch/run-program.ts';
import { project, type Service } from './service.ts';

interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  /** The command line; on Linux empty for a zombie. */
  readonly command: string;
}

export type ProcessKind = 'renderer' | 'gpu-process' | 'network';

/** Returns the ids of the service's Chromium processes of that kind, without zombies. */
export function processesOf(service: Service, kind: ProcessKind): readonly number[] {
  const mark = kind === 'network' ? '--utility-sub-type=network.mojom.NetworkService' : `--type=${kind}`;
  const pid = service.process.pid ?? 0;
  return allDescendantsOf(pid)
    .filter(({ command }) => command.includes(mark))
    .map((found) => found.pid);
}

/** Returns the command lines of all descendants of a process. */
export function descendants(pid: number): readonly string[] {
  return allDescendantsOf(pid).map(({ command }) => command);
}

/**
 * Returns the process id of the service's Electron, the oldest child process of the launcher: others run suspects. @throws Error if there
 * is none
 */
export function electronOf({ process: { pid } }: Pick<Service, 'process'>): number {
  const { electron } = JSON.parse(readFileSync(join(project, '.build', 'runtime.json'), 'utf8')) as {
    readonly electron: string;
  };
  const [oldest] = listProcesses()
    .filter(({ parent, command }) => parent === pid && command.includes(electron))
    .sort((left, right) => startOf(left.pid) - startOf(right.pid));
  if (oldest === undefined) throw new Error('the service has no Electron process');
  return oldest.pid;
}

/**
 * Returns when the process started, in clock ticks since the start of the system (man 5 proc). Process ids do not show the order, because
 * they restart after the largest one. Only on Linux; 0 elsewhere.
 */
function startOf(pid: number): number {
  return Number(
    read(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ')[19] ?? 0,
  );
}

/** Returns whether the process exists and, on Linux, is not a zombie; it may be stopped. */
export function isAlive(pid: number): boolean {
  if (process.platform === 'linux') return commandOf(pid) !== '';
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns the resident memory of a process, in bytes. Linux only. */
function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/**
 * Returns the id of the renderer process with the most memory; a test finds the renderer of its page if the page allocates a lot.
 * Linux only.
 * @throws Error if the service has no renderer
 */
export function largestRenderer(service: Service): number {
  const [largest] = processesOf(service, 'renderer').toSorted(
    (left, right) => memoryOf(right) - memoryOf(left),
  );
  if (largest === undefined) throw new Error('the service has no renderer');
  return largest;
}

/** Resolves when the process ends. */
export async function waitForExit(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Returns the ids of all descendants of a process. */
export function descendantsOf(pid: number): readonly number[] {
  return allDescendantsOf(pid).map((descendant) => descendant.pid);
}

function allDescendantsOf(pid: number): readonly ListedProcess[] {
  const all = listProcesses();
  const parents = new Map(all.map((child) => [child.pid, child.parent]));
  // Windows gives the id of an ended parent to another process, so that a chain of parents may be a circle.
  const descends = (descendant: number, seen: readonly number[] = []): boolean => {
    const parent = parents.get(descendant) ?? 0;
    if (parent <= 1 || seen.includes(parent)) return false;
    return parent === pid || descends(parent, [...seen, parent]);
  };
  return all.filter((child) => descends(child.pid));
}

function listProcesses(): readonly ListedProcess[] {
  if (process.platform === 'linux') return listLinuxProcesses();
  const windowsScript =
    "Get-CimInstance Win32_Process | ForEach-Object { '{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, $_.CommandLine }";
  const [program = '', ...words] =
    process.platform === 'win32'
      ? [windowsTool('powershell'), '-NoProfile', '-NonInteractive', '-Command', windowsScript]
      : ['/bin/ps', '-axww', '-o', 'pid=,ppid=,args='];
  const output = execFileSync(program, words, { encoding: 'utf8', maxBuffer: 1e8 });
  return [...output.matchAll(/^ *(\d+) +(\d+) ?(.*)$/gm)].map(([, pid, parent, command = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    command,
  }));
}

function listLinuxProcesses(): readonly ListedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      pid: Number(name),
      parent: Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${name}/status`))?.[1] ?? 0),
      command: read(`/proc/${name}/cmdline`).replaceAll('\0', ' '),
    }));
}

/** Returns the command line; empty for an ended process or a zombie. Linux only. */
export function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** Returns the id of the process that owns a connection from this local port. Linux only. @throws Error if there is none */
export function ownerOfPort(port: number): number {
  const hexadecimal = port.toString(16).toUpperCase().padStart(4, '0');
  const line = new RegExp(`^ *\\d+: \\S+:${hexadecimal} \\S+ 01(?: +\\S+){5} +(\\d+)`, 'm');
  const inode = line.exec(read('/proc/net/tcp'))?.[1];
  const owner = listLinuxProcesses().find(({ pid }) =>
    linksOf(`/proc/${pid}/fd`).includes(`socket:[${inode}]`),
  );
  if (owner === undefined) throw new Error(`no process has a connection from port ${port}`);
  return owner.pid;
}

function linksOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      try {
        return [readlinkSync(`${folder}/${name}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

/** Returns the file descriptors of a process that are sockets. Linux only. */
export function socketsOf(pid: number): readonly number[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder)
    .filter((name) => readlinkSync(`${folder}/${name}`).startsWith('socket:'))
    .map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
