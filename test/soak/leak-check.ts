/** Checks for leaks after the jobs: processes, windows, timers, sockets, open files and files on disk. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from '../support/service/service.ts';
import type { ServiceConnection } from './caller.ts';
import { waitUntilIdle, type ServiceState } from './service-state.ts';
import type { Group, Process } from './processes.ts';

export interface LeakCheckContext {
  readonly service: Pick<Service, 'data'>;
  readonly group: Group;
  readonly connection: ServiceConnection;
  readonly workers: number;
  /** The temporary folder of the service. */
  readonly temporary: string;
}

/** The state of the idle service. */
export interface IdleState {
  readonly processes: readonly Process[];
  readonly service: ServiceState;
  /** The number of folders in `work/` of the data folder. */
  readonly work: number;
  /** The number of entries in the temporary folder. */
  readonly temporary: number;
  /** The entries of the data folder, except Chromium's files, debug logs and `work`. */
  readonly data: readonly string[];
}

export async function readIdleState({
  service,
  group,
  connection,
  temporary,
}: LeakCheckContext): Promise<IdleState> {
  const inside = await waitUntilIdle(connection);
  const files = readdirSync(service.data).filter((name) => !['browser', 'debug-logs', 'work'].includes(name));
  return {
    processes: group.processes(),
    service: inside,
    data: files.sort(),
    work: readdirSync(join(service.data, 'work')).length,
    temporary: existsSync(temporary) ? readdirSync(temporary).length : 0,
  };
}

/** Keep-alive connections and idle threads end within this time. */
const leakTimeoutMs = 30_000;

/**
 * Compares the idle state with the state after the first jobs, for up to 30 s until there are no leaks. Returns a message for each
 * leak.
 */
export async function findLeaks(
  context: LeakCheckContext,
  before: IdleState,
): Promise<{ rest: IdleState; problems: string[] }> {
  for (const began = performance.now(); ;) {
    const rest = await readIdleState(context);
    const problems = compareIdleStates(context, before, rest);
    if (problems.length === 0 || performance.now() - began > leakTimeoutMs) return { rest, problems };
    await wait(500);
  }
}

/**
 * Allowed additional open files and sockets of a process: their number varies (databases, fonts, new connections). A thread that starts
 * later, such as that for long debug logs, has five.
 */
const tolerance = 20;
/** Allowed additional handles for each additional window. */
const perWindow = 2;

function compareIdleStates({ workers }: LeakCheckContext, before: IdleState, now: IdleState): string[] {
  // A window of another type may have been opened in the meantime. It has a renderer, and a network guard with a socket.
  const grown = Math.max(0, now.service.windows - before.service.windows);
  const most = 2 * workers;
  const say = (wrong: boolean, sentence: string) => (wrong ? [sentence] : []);
  return [
    ...say(now.work > 0, `${now.work} folders are left in work/`),
    ...say(
      now.temporary > before.temporary,
      `${now.temporary - before.temporary} files are left in the temporary folder`,
    ),
    ...newOnes(before.data, now.data).map((name) => `${name} is left in the data folder`),
    ...say(now.service.windows > most, `there are ${now.service.windows} windows, not ${most} at most`),
    ...processProblems(before.processes, now.processes, now.service.windows),
    ...fileProblems(before.processes, now.processes, grown),
    ...resourceProblems(before.service, now.service, grown),
  ];
}

function processProblems(before: readonly Process[], now: readonly Process[], windows: number): string[] {
  const kinds = [...new Set([...before, ...now].map(({ kind }) => kind))];
  const count = (all: readonly Process[], kind: string) =>
    all.filter((process) => process.kind === kind).length;
  return kinds.flatMap((kind) => {
    const countBefore = count(before, kind);
    const has = count(now, kind);
    // Chromium may keep one spare renderer, and the service a spare subprocess for archives and for templates.
    const isExpected =
      kind === 'renderer'
        ? has >= windows && has <= windows + 1
        : has === countBefore || (kind === 'node' && has < countBefore);
    return isExpected
      ? []
      : [
          `there are ${has} processes of the kind ${kind} and ${windows} windows; before, there were ${countBefore} such processes`,
        ];
  });
}

function fileProblems(before: readonly Process[], now: readonly Process[], grown: number): string[] {
  const kinds = new Set(now.map(({ kind }) => kind));
  return [...kinds].flatMap((kind) => {
    const most = (all: readonly Process[], of: 'files' | 'sockets') =>
      Math.max(0, ...all.filter((process) => process.kind === kind).map((process) => process[of]));
    return (['files', 'sockets'] as const).flatMap((of) => {
      const had = most(before, of);
      const has = most(now, of);
      const allowed = had + tolerance + grown * tolerance;
      return has <= allowed ? [] : [`a ${kind} process has ${has} open ${of}; before, at most ${had}`];
    });
  });
}

function resourceProblems(before: ServiceState, now: ServiceState, grown: number): string[] {
  return Object.entries(now.resources).flatMap(([type, has]) => {
    const had = before.resources[type] ?? 0;
    return has <= had + tolerance / 2 + grown * perWindow
      ? []
      : [`there are ${has} handles of the type ${type}; before, there were ${had}`];
  });
}

function newOnes(before: readonly string[], now: readonly string[]): string[] {
  return now.filter((name) => !before.includes(name));
}
