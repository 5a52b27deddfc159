/** The service's processes, as the system's kernel tells of them: kinds, memory, open files. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Process {
  readonly pid: number;
  /** `launcher`, `service`, `renderer`, `gpu-process`, `zygote`, a utility's name, `Xvfb`, or a program's name. */
  readonly kind: string;
  readonly files: number;
  readonly sockets: number;
}

/** Bytes. Pages that processes have in common are shared out among them in `shared`, and counted in each in `resident`. */
export interface Memory {
  readonly shared: number;
  readonly resident: number;
}

export interface Group {
  /** All that live now, those that have lost their parent included. */
  readonly processes: () => Process[];
  readonly renderers: () => number[];
}

/** What begins with the launcher's process; it knows its own by their parents, and orphans by their process group. */
export function openGroup(launcher: number): Group {
  const groups = new Set<number>();
  const ours = () => {
    const pids = membersOf(launcher, groups);
    return pids.map((pid) => ({ pid, kind: pid === launcher ? 'launcher' : kindOf(pid) }));
  };
  return {
    processes: () =>
      ours()
        .filter(({ kind }) => kind !== 'ended')
        .map((process) => ({ ...process, ...openFiles(process.pid) })),
    renderers: () =>
      ours()
        .filter(({ kind }) => kind === 'renderer')
        .map(({ pid }) => pid),
  };
}

/** Undefined when it has ended. */
export function memoryOf(pid: number): Memory | undefined {
  const said = read(`/proc/${pid}/smaps_rollup`);
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(said)?.[1]) * 1024;
  const memory = { shared: bytes('Pss'), resident: bytes('Rss') };
  return Number.isNaN(memory.shared) ? undefined : memory;
}

/** Whether one of its threads runs a dedicated worker of a page. */
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
  return words.includes('picture-encoder') ? 'encoder' : program === 'electron' ? 'service' : program;
}

function openFiles(pid: number): { files: number; sockets: number } {
  const targets = list(`/proc/${pid}/fd`).map((name) => target(`/proc/${pid}/fd/${name}`));
  return { files: targets.length, sockets: targets.filter((one) => one.startsWith('socket:')).length };
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
    // It has ended meanwhile.
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
