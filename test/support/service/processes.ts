/** Finds the processes of a service by their parent processes and command lines. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { electronOf, type Service } from './service.ts';

export type ProcessKind = 'renderer' | 'gpu-process' | 'network';

/** Returns the ids of the service's Chromium processes of that kind, without zombies. */
export function processesOf(service: Service, kind: ProcessKind): readonly number[] {
  const mark = kind === 'network' ? '--utility-sub-type=network.mojom.NetworkService' : `--type=${kind}`;
  return descendantsOf(electronOf(service)).filter((pid) => commandOf(pid).includes(mark));
}

/** Returns the command lines of all descendants of a process. */
export function descendants(pid: number): readonly string[] {
  return descendantsOf(pid).map(commandOf);
}

/** Returns whether the process exists and is not a zombie; it may be stopped. */
export function isAlive(pid: number): boolean {
  return commandOf(pid) !== '';
}

/** Returns the resident memory of a process, in bytes. */
function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/**
 * Returns the id of the renderer process with the most memory; a test finds the renderer of its page if the page allocates a lot.
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
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(
    all.map((child) => [child, Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${child}/status`))?.[1] ?? 0)]),
  );
  const descends = (descendant: number): boolean => {
    const parent = parents.get(descendant) ?? 0;
    return parent > 1 && (parent === pid || descends(parent));
  };
  return all.filter(descends);
}

/** Returns the command line; empty for an ended process or a zombie. */
export function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** Returns the file descriptors of a process that are sockets. */
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
