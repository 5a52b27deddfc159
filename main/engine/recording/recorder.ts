/**
 * Listens to the DevTools protocol of a window while a job's log is recorded: requests, the console, and both of the workers
 * and frames that have sessions of their own. Chromium goes on telling until a job comes that is not recorded; nobody
 * listens meanwhile. The Debugger domain stays off, so that no `debugger` stops a page.
 */
import type { WebContents } from 'electron';
import type { RuntimeDomain } from '../runtime-domain.ts';
import { recordConsole } from './console.ts';
import { recordNetwork, type NetworkRecord } from './network.ts';
import type { RecordedJob } from './request-book.ts';

export interface Recording {
  /** Resolves when all that happens from now on is seen. */
  readonly ready: Promise<void>;
  readonly hear: NetworkRecord['hear'];
  /** Writes what is still to be written. `sound`: the renderer answers, so what it has yet to tell is waited for. */
  readonly end: (sound: boolean) => Promise<void>;
}

export interface Recorder {
  readonly record: (job: RecordedJob) => Recording;
  /** To be called before a job that is not recorded: Chromium tells no more than it is listened to. */
  readonly rest: () => void;
}

type Send = (method: string, parameters?: object, session?: string) => Promise<unknown>;

/** Bodies are not asked for, so they need not be kept. */
const withoutBodies = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };
/** New targets wait until they are listened to. */
const attaching = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
/** Milliseconds for what takes one. */
const patience = 250;

/** Turning it on and off costs as much as recording a small page, so it stays on between two jobs that are recorded. */
export function recorder({ debugger: debug }: WebContents, runtime: RuntimeDomain): Recorder {
  const send: Send = async (method, parameters = {}, session) =>
    debug.sendCommand(method, parameters, session);
  let on: Promise<void> | undefined;
  return {
    record(job) {
      const network = recordNetwork(job);
      const takeSaid = recordConsole(job.log);
      const onMessage = (_event: unknown, method: string, message: unknown) => {
        if (method === 'Target.attachedToTarget') listenTo(send, (message as Attached).sessionId);
        // Chromium is told no different: Electron 33 crashes when a worker's session is ended in the midst of what it says.
        if (job.log.full) return;
        network.take(method, message);
        takeSaid(method, message);
      };
      debug.on('message', onMessage);
      on ??= turnOn(send, runtime);
      on.catch(() => {});
      return {
        ...{ ready: on, hear: network.hear },
        async end(sound) {
          if (sound) await atMost(patience, forget(send));
          debug.off('message', onMessage);
          network.end();
        },
      };
    },
    rest() {
      if (on !== undefined) turnOff(send, runtime).catch(() => {});
      on = undefined;
    },
  };
}

interface Attached {
  readonly sessionId: string;
}

async function turnOn(send: Send, runtime: RuntimeDomain): Promise<void> {
  const commands = [send('Network.enable', withoutBodies), send('Log.enable'), runtime('recording', true)];
  await Promise.all([...commands, send('Target.setAutoAttach', attaching)]);
}

/** Has what the page said forgotten. When this is answered, everything that happened before has been told. */
async function forget(send: Send): Promise<void> {
  await Promise.all([send('Log.clear'), send('Runtime.discardConsoleEntries')]);
}

async function turnOff(send: Send, runtime: RuntimeDomain): Promise<void> {
  const off = { ...attaching, autoAttach: false, waitForDebuggerOnStart: false };
  const commands = [send('Network.disable'), send('Log.disable'), runtime('recording', false)];
  await Promise.all([...commands, send('Target.setAutoAttach', off)]);
}

/** A worker knows no Log; a target that is gone by now knows nothing. */
function listenTo(send: Send, session: string): void {
  const commands: readonly (readonly [string, object?])[] = [
    ...([['Network.enable', withoutBodies], ['Runtime.enable'], ['Log.enable']] as const),
    ...([['Target.setAutoAttach', attaching], ['Runtime.runIfWaitingForDebugger']] as const),
  ];
  for (const [method, parameters] of commands) send(method, parameters, session).catch(() => {});
}

async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}
