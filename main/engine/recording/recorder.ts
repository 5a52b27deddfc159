/**
 * Listens to the DevTools protocol of a window for as long as a job's log is recorded: requests, the console, and both of the
 * workers and frames that have sessions of their own. The Debugger domain stays off, so that no `debugger` stops a page.
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

export type Record = (job: RecordedJob) => Recording;

type Send = (method: string, parameters?: object, session?: string) => Promise<unknown>;

/** Bodies are not asked for, so they need not be kept. */
const withoutBodies = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };
/** New targets wait until they are listened to. */
const attaching = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
/** Milliseconds for what takes one. */
const patience = 250;

export function recorder({ debugger: debug }: WebContents, runtime: RuntimeDomain): Record {
  const send: Send = async (method, parameters = {}, session) =>
    debug.sendCommand(method, parameters, session);
  return (job) => {
    const network = recordNetwork(job);
    const takeSaid = recordConsole(job.log);
    let listening = false;
    const onMessage = (_event: unknown, method: string, message: unknown) => {
      // What is told before is of an earlier job: Chromium begins with all that it remembers of the page that is there.
      if (!listening) return;
      if (method === 'Target.attachedToTarget') listenTo(send, (message as Attached).sessionId);
      network.take(method, message);
      takeSaid(method, message);
    };
    debug.on('message', onMessage);
    const ready = Promise.all([turnOn(send), runtime('recording', true)]).then(() => {
      listening = true;
    });
    ready.catch(() => {});
    return {
      ...{ ready, hear: network.hear },
      async end(sound) {
        if (sound) await atMost(patience, turnOff(send, runtime));
        listening = false;
        debug.off('message', onMessage);
        network.end();
      },
    };
  };
}

interface Attached {
  readonly sessionId: string;
}

async function turnOn(send: Send): Promise<void> {
  // The log's memory is emptied first: what is in it is of an earlier job.
  const commands = [send('Log.clear'), send('Runtime.discardConsoleEntries'), send('Log.enable')];
  await Promise.all([
    ...commands,
    send('Network.enable', withoutBodies),
    send('Target.setAutoAttach', attaching),
  ]);
}

/** When the last of these is answered, everything that happened before has been told. */
async function turnOff(send: Send, runtime: RuntimeDomain): Promise<void> {
  const off = { ...attaching, autoAttach: false, waitForDebuggerOnStart: false };
  await Promise.all([
    ...[send('Network.disable'), send('Log.disable'), send('Target.setAutoAttach', off)],
    ...[send('Runtime.discardConsoleEntries'), runtime('recording', false)],
  ]);
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
