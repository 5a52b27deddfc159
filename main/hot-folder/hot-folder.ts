/** One hot folder as long as the service runs: looked at, and its sources converted when it is their turn. */
import { join } from 'node:path';
import type { Account } from '../accounts/account.ts';
import type { Limits } from '../job/rules.ts';
import type { DebugLogs } from '../log/debug-logs.ts';
import { openBell } from './bell.ts';
import { convertSource, type Ending, type SourceOrder, type SourceParts } from './convert-source.ts';
import { FolderTrouble, lookAt, type View } from './look.ts';
import { putDoneAside, putFailedAside } from './put-aside.ts';
import { signatureAt } from './signature.ts';
import { openSightings, type Seen } from './sightings.ts';
import type { Turns } from './turns.ts';

/** What an operator sees of it. */
export interface FolderState {
  /** Absolute. */
  readonly path: string;
  /** Why nothing is converted in it just now; absent: all is well. */
  readonly trouble?: string;
  /** Sources that wait for their turn, or for another try. */
  readonly waiting: number;
  readonly converting: number;
  /** Since the service began. */
  readonly converted: number;
  readonly failed: number;
}

export interface HotFolder {
  readonly state: () => FolderState;
  /** Looks and converts until the signal aborts; resolves when the last of its jobs is over. Never rejects. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

export interface FolderParts extends Omit<SourceParts, 'debugLogs'> {
  readonly debugLogs: Pick<DebugLogs, 'open' | 'read'>;
  readonly turns: Turns;
  /** Asked for again when it has been removed. */
  readonly account: () => Promise<Account>;
  readonly limits: Limits;
  /** Bytes. */
  readonly maxUpload: number;
  /** Why the folder cannot be used beside the others, as it really lies; undefined: it can. */
  readonly refusal: (path: string) => Promise<string | undefined>;
}

/** Milliseconds between looks: while something comes, as a rest for large folders, while it is in trouble, when nothing tells of changes. */
const [least, afterTrouble, usually] = [200, 5000, 30_000];

export function openHotFolder(path: string, parts: FolderParts): HotFolder {
  const folder: Live = {
    ...{ path, parts, sightings: openSightings(), bell: openBell(), ready: new Map(), jobs: new Map() },
    ...{ view: undefined, settled: undefined, trouble: undefined, pumping: undefined },
    ...{ moving: Promise.resolve(), converted: 0, failed: 0 },
  };
  return {
    state: () => stateOf(folder),
    async run(signal) {
      while (!signal.aborted) {
        const began = performance.now();
        const next = await look(folder, signal);
        // A folder of thousands of sources takes its time to look at, and must not take all of it.
        const rest = Math.max(least, 4 * (performance.now() - began));
        await folder.bell.wait(rest, Math.max(rest, next), signal);
      }
      folder.bell[Symbol.dispose]();
      await folder.pumping;
      await Promise.all(folder.jobs.values());
    },
  };
}

interface Live {
  readonly path: string;
  readonly parts: FolderParts;
  readonly sightings: ReturnType<typeof openSightings>;
  readonly bell: ReturnType<typeof openBell>;
  /** Sources whose turn comes, in its order. */
  ready: Map<string, Seen>;
  /** Under way, by the source's name. */
  readonly jobs: Map<string, Promise<void>>;
  view: View | undefined;
  /** Since when platen.json is as it is. */
  settled: { readonly version: string; readonly since: number } | undefined;
  trouble: string | undefined;
  pumping: Promise<void> | undefined;
  /** The last of the sources that are moved away; never rejects. */
  moving: Promise<void>;
  converted: number;
  failed: number;
}

function stateOf({ path, trouble, ready, sightings, jobs, converted, failed }: Live): FolderState {
  const waiting = ready.size + sightings.putOff(performance.now());
  const counts = { waiting, converting: jobs.size, converted, failed };
  return { path, ...(trouble !== undefined && { trouble }), ...counts };
}

/** Milliseconds until the next look. Never rejects. */
async function look(folder: Live, signal: AbortSignal): Promise<number> {
  try {
    const view = await lookAt(folder.path, folder.parts.limits);
    if (folder.trouble !== undefined || folder.view === undefined) await refuse(folder);
    tell(folder, undefined);
    folder.view = view;
    folder.bell.listen(folder.path, view.identity);
    const { settle, poll = usually } = view.settings;
    // Whoever changes platen.json may not be done with it.
    const wait = untilSettled(folder, view);
    const { ready, next = poll } = folder.sightings.look(view.seen, performance.now(), settle);
    const free = wait > 0 ? [] : ready.filter(({ name }) => !folder.jobs.has(name));
    folder.ready = new Map(free.map((seen) => [seen.name, seen]));
    folder.pumping ??= pump(folder, signal).finally(() => (folder.pumping = undefined));
    return Math.min(next, wait > 0 ? wait : poll, poll);
  } catch (problem) {
    folder.ready.clear();
    tell(folder, problem instanceof Error ? problem.message : String(problem));
    if (!(problem instanceof FolderTrouble)) folder.parts.log.error({ err: problem }, 'a hot folder failed');
    return afterTrouble;
  }
}

async function refuse({ path, parts }: Live): Promise<void> {
  const why = await parts.refusal(path);
  if (why !== undefined) throw new FolderTrouble(why);
}

/** Milliseconds until platen.json has stood still; a folder without one need not wait for it. */
function untilSettled(folder: Live, { settingsVersion: version, settings }: View): number {
  const now = performance.now();
  if (folder.settled?.version !== version) folder.settled = { version, since: now };
  return version === '' ? 0 : folder.settled.since + settings.settle - now;
}

/** Once for each change. */
function tell(folder: Live, trouble: string | undefined): void {
  const { path, parts } = folder;
  if (trouble !== undefined && trouble !== folder.trouble)
    parts.log.warn({ folder: path, why: trouble }, 'nothing is converted in a hot folder');
  if (trouble === undefined && folder.trouble !== undefined)
    parts.log.info({ folder: path }, 'a hot folder is converted again');
  folder.trouble = trouble;
}

/** Begins jobs as long as there are sources and turns. */
async function pump(folder: Live, signal: AbortSignal): Promise<void> {
  while (folder.ready.size > 0 && !signal.aborted) {
    const leave = await folder.parts.turns.enter(signal).catch(() => undefined);
    const [seen] = folder.ready.values();
    if (leave === undefined || seen === undefined) {
      leave?.();
      return;
    }
    folder.ready.delete(seen.name);
    const job = convert(folder, seen)
      .catch((problem: unknown) => {
        folder.parts.log.error({ err: problem, folder: folder.path, file: seen.name }, 'a hot folder failed');
        delay(folder, seen, afterTrouble);
      })
      .finally(() => {
        folder.jobs.delete(seen.name);
        leave();
        folder.bell.ring();
      });
    folder.jobs.set(seen.name, job);
  }
}

async function convert(folder: Live, seen: Seen): Promise<void> {
  const { path, parts, view, sightings } = folder;
  const source = view?.sources.get(seen.name);
  const output = view?.outputs.get(seen.name);
  if (view === undefined || source === undefined || output === undefined) return;
  // It may have waited for long.
  if ((await signatureAt(join(path, seen.name))) !== seen.signature) return;
  const { settings } = view;
  const { signature } = seen;
  const order: SourceOrder = {
    ...{ folder: path, source, signature, settings, output },
    ...{ maxUpload: parts.maxUpload, account: await parts.account() },
  };
  const ending = await convertSource(order, parts);
  if (ending.kind === 'later') {
    putOff(folder, seen, ending);
    return;
  }
  if (ending.kind === 'gone') return;
  sightings.hold(seen.name, signature);
  folder[ending.kind] += 1;
  // One after the other: two that look for a free name at once would find the same.
  folder.moving = folder.moving.then(() => putAside(order, ending, folder));
  await folder.moving;
}

/** Longest time between two tries of one source, in milliseconds. */
const longestDelay = 300_000;

function putOff(folder: Live, seen: Seen, ending: Extract<Ending, { kind: 'later' }>): void {
  const { everybody, wait } = ending;
  if (everybody) {
    folder.parts.turns.rest(wait);
    folder.sightings.later(seen.name, seen.signature, 0);
    return;
  }
  delay(folder, seen, wait);
}

/** Longer each time. */
function delay({ sightings }: Live, { name, signature }: Seen, wait: number): void {
  const longer = Math.min(wait * 2 ** sightings.delays(name), longestDelay);
  sightings.later(name, signature, performance.now() + longer);
}

/** What cannot be moved stays, and is not converted again before it changes. */
async function putAside(
  order: SourceOrder,
  ending: Extract<Ending, { kind: 'converted' | 'failed' }>,
  { parts, path }: Live,
): Promise<void> {
  try {
    if (ending.kind === 'converted') await putDoneAside(order);
    else await putFailedAside(order, ending, parts.debugLogs);
  } catch (problem) {
    const told = { folder: path, file: order.source.name, err: problem };
    parts.log.warn(told, 'a file of a hot folder could not be moved; it stays where it is');
  }
}
