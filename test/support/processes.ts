/** The processes behind a service, found as an operator would: by who started whom and by Chromium's command lines. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { electronOf, type Service } from './service.ts';

export type ProcessKind = 'renderer' | 'gpu-process' | 'network';

/** Process ids of all that descend from the service's Electron process and are of that kind, zombies left out. */
export function processesOf(service: Service, kind: ProcessKind): readonly number[] {
  const mark = kind === 'network' ? '--utility-sub-type=network.mojom.NetworkService' : `--type=${kind}`;
  return descendantsOf(electronOf(service)).filter((pid) => commandOf(pid).includes(mark));
}

/** Command lines of all processes below one. */
export function descendants(pid: number): readonly string[] {
  return descendantsOf(pid).map(commandOf);
}

/** True while it runs, also when it is stopped. */
export function isAlive(pid: number): boolean {
  return commandOf(pid) !== '';
}

/** Bytes in memory. */
function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** The process id of the renderer that has most memory: pages of tests make theirs large, to be found. */
export function largestRenderer(service: Service): number {
  const [largest] = processesOf(service, 'renderer').toSorted(
    (one, other) => memoryOf(other) - memoryOf(one),
  );
  if (largest === undefined) throw new Error('the service has no renderer');
  return largest;
}

/** Resolves when the process has ended. */
export async function ended(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Process ids of all that a process has started, and they. */
export function descendantsOf(pid: number): readonly number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(
    all.map((one) => [one, Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${one}/status`))?.[1] ?? 0)]),
  );
  const descends = (one: number): boolean => {
    const parent = parents.get(one) ?? 0;
    return parent > 1 && (parent === pid || descends(parent));
  };
  return all.filter(descends);
}

/** Empty for one that has ended, or is a zombie. */
export function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** The file descriptors of its sockets. */
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
