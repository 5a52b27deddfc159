/**
 * How much memory the machine, or the container, could still give. Node's own `availableMemory` counts a container's cache of
 * files as used, so that it tends to nothing after days of work, and on macOS only pages that nobody has ever used are free
 * to it. Plain Node.
 */
import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** Milliseconds; nothing that matters here takes a gigabyte sooner. */
const newsLasts = 50;

/** The same, as it was `longest` milliseconds ago or later; 0: now. */
export function freeMemoryLately(longest = newsLasts): number | undefined {
  const now = performance.now();
  if (now - lately.at >= longest) lately = { at: now, bytes: freeMemory() };
  return lately.bytes;
}

let lately: { readonly at: number; readonly bytes: number | undefined } = { at: -Infinity, bytes: undefined };

/** Bytes; undefined where nobody knows (macOS). Takes a third of a millisecond. */
export function freeMemory(): number | undefined {
  if (process.platform === 'win32') return freemem();
  if (process.platform !== 'linux') return undefined;
  const machine = figure(read('/proc/meminfo'), 'MemAvailable:');
  const free = [
    machine === undefined ? undefined : machine * 1024,
    ...freeInGroups('/sys/fs/cgroup', read('/proc/self/cgroup')),
  ];
  const known = free.filter((bytes) => bytes !== undefined);
  return known.length === 0 ? undefined : Math.max(0, Math.min(...known));
}

/** What is left in each control group that holds this process and has a limit; `groups` is what /proc/self/cgroup says. */
export function freeInGroups(root: string, groups: string): readonly number[] {
  const second = /^0::(\/.*)$/m.exec(groups)?.[1];
  const first = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m.exec(groups)?.[1];
  return [
    ...(second === undefined ? [] : upwards(root, second).map(freeInSecond)),
    ...(first === undefined ? [] : upwards(join(root, 'memory'), first).map(freeInFirst)),
  ].filter((bytes) => bytes !== undefined);
}

/** The folders of the group and of those that hold it. A container sees its own group at the root, whatever the path says. */
function upwards(root: string, path: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '..');
  return Array.from({ length: names.length + 1 }, (_, depth) => join(root, ...names.slice(0, depth)));
}

function freeInSecond(folder: string): number | undefined {
  const stat = read(join(folder, 'memory.stat'));
  const cache = (figure(stat, 'active_file') ?? 0) + (figure(stat, 'inactive_file') ?? 0);
  return left(read(join(folder, 'memory.max')), read(join(folder, 'memory.current')), cache);
}

function freeInFirst(folder: string): number | undefined {
  const stat = read(join(folder, 'memory.stat'));
  const cache = (figure(stat, 'total_active_file') ?? 0) + (figure(stat, 'total_inactive_file') ?? 0);
  return left(
    read(join(folder, 'memory.limit_in_bytes')),
    read(join(folder, 'memory.usage_in_bytes')),
    cache,
  );
}

/** Files in the cache give way; a limit of `max`, or of more than any machine has, is none. */
function left(limit: string, used: string, cache: number): number | undefined {
  const [most, now] = [Number(limit), Number(used)];
  const isLimit = limit.trim() !== '' && Number.isFinite(most) && most < 2 ** 60;
  return isLimit && used.trim() !== '' ? most - now + cache : undefined;
}

/** The number after a name at the beginning of a line. */
function figure(text: string, name: string): number | undefined {
  const found = new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Empty where there is no such file. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
