/** The processes of a service, found by their parents and Chromium's command lines. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { electronOf, type Service } from './service.ts';

export type ProcessKind = 'renderer' | 'gpu-process' | 'network';

/** Process ids of all descendants of the Electron process of that kind, without zombies. */
export function processesOf(service: Service, kind: ProcessKind): readonly number[] {
  const mark = kind === 'network' ? '--utility-sub-type=network.mojom.NetworkService' : `--type=${kind}`;
  return descendantsOf(electronOf(service)).filter((pid) => commandOf(pid).includes(mark));
}

/** Command lines of all descendants of a process. */
export function descendants(pid: number): readonly string[] {
  return descendantsOf(pid).map(commandOf);
}

/** True while the process exists, also while it is stopped. */
export function isAlive(pid: number): boolean {
  return commandOf(pid) !== '';
}

/** Resident memory in bytes. */
function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** The process id of the renderer with the most memory; test pages allocate a lot to be found. */
export function largestRenderer(service: Service): number {
  const [largest] = processesOf(service, 'renderer').toSorted(
    (left, right) => memoryOf(right) - memoryOf(left),
  );
  if (largest === undefined) throw new Error('the service has no renderer');
  return largest;
}

/** Resolves when the process has ended. */
export async function ended(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Process ids of a process and all its descendants. */
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

/** Empty for an ended process or a zombie. */
export function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** The file descriptors of the sockets of a process. */
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
