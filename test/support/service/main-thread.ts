/** Finds the longest step of the service's main thread: a task of Chromium, during which nothing else runs there, not even /health. */
import { request } from 'node:http';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Profiler } from 'node:inspector';
import { startService, temporaryFolder, type Service, type StartOptions } from './service.ts';

export interface WatchedService extends Service {
  /** Resolves with the longest steps during the work, the longest first. */
  readonly longestSteps: (work: () => Promise<unknown>) => Promise<readonly MainThreadStep[]>;
}

export interface MainThreadStep {
  /** Processor time of the main thread in milliseconds; elapsed time would depend on other load of the machine. */
  readonly cpuMs: number;
  /** The function of Chromium or Electron that posted the task. `WakeupMainThread` runs the event loop of Node. */
  readonly task: string;
  /** The functions that were running most of the time, from the outermost to the innermost, with their share of the samples. */
  readonly stack: string;
}

/** Starts a service whose main thread can be recorded. */
export async function startWatchedService(options: StartOptions = {}): Promise<WatchedService> {
  const socket = join(temporaryFolder(), 'recorder');
  const recorder = join(import.meta.dirname, 'main-thread-recorder.cjs');
  const service = await startService({
    ...options,
    environment: {
      ...options.environment,
      NODE_OPTIONS: `--require="${recorder}"`,
      MAIN_THREAD_SOCKET: socket,
    },
  });
  return {
    ...service,
    async longestSteps(work) {
      await ask(socket, '/start');
      let recording: MainThreadRecording;
      try {
        await work();
      } finally {
        recording = JSON.parse(await ask(socket, '/stop')) as MainThreadRecording;
      }
      const steps = stepsIn(await readFile(recording.trace, 'utf8'), recording.profile);
      await rm(recording.trace);
      return steps;
    },
  };
}

interface MainThreadRecording {
  /** Path of Chromium's trace. */
  readonly trace: string;
  readonly profile: Profiler.Profile;
}

async function ask(socketPath: string, path: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    request({ socketPath, path }, (response) => {
      text(response).then((body) => {
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(body));
      }, reject);
    })
      .once('error', reject)
      .end();
  });
}

/** An event of the trace. Times are in microseconds; `tdur` is processor time. */
interface TraceEvent {
  readonly name: string;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string; readonly src_file?: string; readonly src_func?: string };
}

const maxSteps = 3;

function stepsIn(trace: string, profile: Profiler.Profile): readonly MainThreadStep[] {
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
  const mainThread = traceEvents.find(
    ({ name, args }) => name === 'thread_name' && args.name === 'CrBrowserMain',
  )?.tid;
  const tasks = traceEvents.filter(
    ({ name, tid, tdur }) =>
      name === 'ThreadControllerImpl::RunTask' && tid === mainThread && tdur !== undefined,
  );
  if (tasks.length === 0) throw new Error('the trace contains no tasks of the main thread');
  const samples = samplesOf(profile);
  return tasks
    .toSorted((left, right) => (right.tdur ?? 0) - (left.tdur ?? 0))
    .slice(0, maxSteps)
    .map(({ ts, dur = 0, tdur = 0, args }) => ({
      cpuMs: tdur / 1000,
      task: `${args.src_func ?? '?'} (${args.src_file ?? '?'})`,
      stack: stackOf(
        profile,
        samples.filter(({ at }) => at >= ts && at <= ts + dur),
      ),
    }));
}

interface StackSample {
  /** Time in microseconds. */
  readonly at: number;
  /** The node of the call tree that was running. */
  readonly id: number;
}

function samplesOf({ startTime, samples = [], timeDeltas = [] }: Profiler.Profile): readonly StackSample[] {
  let at = startTime;
  return samples.map((id, index) => {
    at += timeDeltas[index] ?? 0;
    return { at, id };
  });
}

/** Functions with a smaller share of the samples are not shown. */
const minShare = 0.3;

/** Returns the path through the call tree with the most samples. */
function stackOf({ nodes }: Profiler.Profile, samples: readonly StackSample[]): string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const counts = new Map<number, number>();
  for (const { id } of samples) counts.set(id, (counts.get(id) ?? 0) + 1);
  const count = (id: number): number =>
    (counts.get(id) ?? 0) + (byId.get(id)?.children ?? []).reduce((sum, child) => sum + count(child), 0);
  const frames: string[] = [];
  let node = nodes[0];
  while (node !== undefined) {
    const [heaviest] = (node.children ?? [])
      .map((id) => ({ id, share: count(id) / samples.length }))
      .toSorted((left, right) => right.share - left.share);
    if (heaviest === undefined || heaviest.share < minShare) break;
    node = byId.get(heaviest.id);
    const { functionName = '?', url = '', lineNumber = 0 } = node?.callFrame ?? {};
    const file = url.slice(url.lastIndexOf('/') + 1);
    frames.push(
      `${functionName || '(anonymous)'} ${file}:${lineNumber + 1} ${Math.round(heaviest.share * 100)}%`,
    );
  }
  return frames.join(' > ');
}
