/** Reads the processes of the service from /proc: their kinds, memory and open files. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Process {
  readonly pid: number;
  /** `launcher`, `service`, `renderer`, `gpu-process`, `zygote`, a utility's name, `Xvfb`, or a program's name. */
  readonly kind: string;
  /** The number of open files, including sockets. */
  readonly files: number;
  readonly sockets: number;
}

/** In bytes. `shared` (PSS) divides a shared page among the processes that use it; `resident` (RSS) counts it in full for each. */
export interface Memory {
  readonly shared: number;
  readonly resident: number;
}

export interface Group {
  /** Returns all processes, including orphans but not zombies. */
  readonly processes: () => Process[];
  /** Returns the process ids of the renderers. */
  readonly renderers: () => number[];
}

/** Finds the descendants of the launcher by their parents, and orphans by their process group. */
export function openGroup(launcher: number): Group {
  const groups = new Set<number>();
  const processIds = () => {
    const pids = membersOf(launcher, groups);
    return pids.map((pid) => ({ pid, kind: pid === launcher ? 'launcher' : kindOf(pid) }));
  };
  return {
    processes: () =>
      processIds()
        .filter(({ kind }) => kind !== 'ended')
        .map((process) => ({ ...process, ...openFiles(process.pid) })),
    renderers: () =>
      processIds()
        .filter(({ kind }) => kind === 'renderer')
        .map(({ pid }) => pid),
  };
}

/** Returns undefined if the process has ended. */
export function memoryOf(pid: number): Memory | undefined {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1]) * 1024;
  const memory = { shared: bytes('Pss'), resident: bytes('Rss') };
  return Number.isNaN(memory.shared) ? undefined : memory;
}

/** Returns whether the renderer runs a dedicated worker, according to the names of its threads. */
export function runsWorker(pid: number): boolean {
  return list(`/proc/${pid}/task`).some((thread) =>
    read(`/proc/${pid}/task/${thread}/comm`).startsWith('DedicatedWorker'),
  );
}

function membersOf(launcher: number, groups: Set<number>): number[] {
  const all = list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), ...familyOf(Number(name)) }));
  const found = new Set([launcher]);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const { pid, parent, group } of all) if (found.has(parent) || groups.has(group)) found.add(pid);
  }
  for (const { pid, group } of all) if (found.has(pid)) groups.add(group);
  return all.filter(({ pid, state }) => found.has(pid) && state !== 'Z').map(({ pid }) => pid);
}

function familyOf(pid: number): { state: string; parent: number; group: number } {
  const [state = 'Z', parent, group] = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return { state, parent: Number(parent), group: Number(group) };
}

function kindOf(pid: number): string {
  const words = read(`/proc/${pid}/cmdline`);
  if (words === '') return 'ended';
  const type = /--type=([\w-]+)/.exec(words)?.[1];
  if (type === 'utility') return /--utility-sub-type=(\w+)/.exec(words)?.[1] ?? type;
  const program = words.split('\0')[0]?.split('/').at(-1) ?? '';
  if (type !== undefined) return type;
  return words.includes('image-encoder') ? 'encoder' : program === 'electron' ? 'service' : program;
}

function openFiles(pid: number): { files: number; sockets: number } {
  const targets = list(`/proc/${pid}/fd`).map((name) => target(`/proc/${pid}/fd/${name}`));
  return { files: targets.length, sockets: targets.filter((target) => target.startsWith('socket:')).length };
}

function target(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
