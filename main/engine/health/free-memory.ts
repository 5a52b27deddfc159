/**
 * Measures the free memory of the machine or its container. Node's own `process.availableMemory` counts a container's page cache as
 * used, so its result falls towards zero after days of work. On macOS it does not count memory that can be reclaimed. Does not
 * import Electron.
 */
import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** No page can allocate a gigabyte in less than this time. */
const defaultMaxAgeMs = 50;

/** Returns a result of `freeMemory` that is at most `maxAgeMs` old; with 0, measures now. */
export function recentFreeMemory(maxAgeMs = defaultMaxAgeMs): number | undefined {
  const now = performance.now();
  if (now - measured.at >= maxAgeMs) measured = { at: now, bytes: freeMemory() };
  return measured.bytes;
}

let measured: { readonly at: number; readonly bytes: number | undefined } = {
  at: -Infinity,
  bytes: undefined,
};

/** Returns the free bytes; undefined if they cannot be measured, as on macOS without Electron. Takes a third of a millisecond. */
export function freeMemory(): number | undefined {
  if (process.platform === 'win32') return freemem();
  if (process.platform === 'darwin') return freeOnMac(process);
  if (process.platform !== 'linux') return undefined;
  const machine = numberAfter(read('/proc/meminfo'), 'MemAvailable:');
  const free = [
    machine === undefined ? undefined : machine * 1024,
    ...freeInGroups('/sys/fs/cgroup', read('/proc/self/cgroup')),
  ];
  const known = free.filter((bytes) => bytes !== undefined);
  return known.length === 0 ? undefined : Math.max(0, Math.min(...known));
}

/** The method that Electron adds to `process`. Values in units of 1024 bytes. */
interface ElectronProcess {
  readonly getSystemMemoryInfo?: () => {
    readonly free: number;
    readonly fileBacked?: number;
    readonly purgeable?: number;
  };
}

/**
 * Returns the free bytes, with memory that macOS can reclaim; undefined without Electron, or if its version does not report that
 * memory.
 */
export function freeOnMac(electron: ElectronProcess): number | undefined {
  const info = electron.getSystemMemoryInfo?.();
  if (info?.fileBacked === undefined) return undefined;
  return (info.free + info.fileBacked + (info.purgeable ?? 0)) * 1024;
}

/**
 * Returns the free bytes of each control group that contains this process and has a limit. `groups` is the text of
 * /proc/self/cgroup.
 */
export function freeInGroups(root: string, groups: string): readonly number[] {
  const pathV2 = /^0::(\/.*)$/m.exec(groups)?.[1];
  // eslint-disable-next-line platen/linear-pattern -- The kernel writes the text.
  const pathV1 = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m.exec(groups)?.[1];
  return [
    ...(pathV2 === undefined ? [] : groupFolders(root, pathV2).map(freeInV2)),
    ...(pathV1 === undefined ? [] : groupFolders(join(root, 'memory'), pathV1).map(freeInV1)),
  ].filter((bytes) => bytes !== undefined);
}

/**
 * Returns the folders of the group and of its ancestors. Inside a container, the container's own group is at the root, whatever the
 * path says.
 */
function groupFolders(root: string, path: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '..');
  return Array.from({ length: names.length + 1 }, (_, depth) => join(root, ...names.slice(0, depth)));
}

function freeInV2(folder: string): number | undefined {
  const stat = read(join(folder, 'memory.stat'));
  const cache = (numberAfter(stat, 'active_file') ?? 0) + (numberAfter(stat, 'inactive_file') ?? 0);
  return freeBelow(read(join(folder, 'memory.max')), read(join(folder, 'memory.current')), cache);
}

function freeInV1(folder: string): number | undefined {
  const stat = read(join(folder, 'memory.stat'));
  const cache =
    (numberAfter(stat, 'total_active_file') ?? 0) + (numberAfter(stat, 'total_inactive_file') ?? 0);
  return freeBelow(
    read(join(folder, 'memory.limit_in_bytes')),
    read(join(folder, 'memory.usage_in_bytes')),
    cache,
  );
}

/**
 * Returns the free bytes below a group's limit, with the page cache counted as free; undefined without a limit. `max`, or more than
 * any machine's memory, is no limit.
 */
function freeBelow(limit: string, used: string, cacheBytes: number): number | undefined {
  const limitBytes = Number(limit);
  const usedBytes = Number(used);
  const isLimit = limit.trim() !== '' && Number.isFinite(limitBytes) && limitBytes < 2 ** 60;
  return isLimit && used.trim() !== '' ? limitBytes - usedBytes + cacheBytes : undefined;
}

/** Returns the number that follows a name at the start of a line; undefined if there is none. */
function numberAfter(text: string, name: string): number | undefined {
  // eslint-disable-next-line platen/linear-pattern -- A name of this file, at the start of a line.
  const digits = new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns the text of a file; an empty string if the file cannot be read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
