/**
 * Records a job's requests and console messages over the DevTools protocol, including those of workers and frames that have their
 * own protocol sessions. The protocol's domains stay enabled until a job without a recorded log begins; between jobs, their
 * messages are ignored. The Debugger domain stays disabled, so that no `debugger` statement stops a page.
 */
import type { WebContents } from 'electron';
import type { RuntimeDomain } from '../../devtools/evaluate.ts';
import type { ProtocolTargets } from '../../devtools/targets.ts';
import { recordConsole } from './console.ts';
import { NetworkRecorder, type RecordedJob } from './network-recorder.ts';

export interface ProtocolRecording {
  /** Resolves when recording has started: all later events are recorded. */
  readonly ready: Promise<void>;
  readonly addSeenRequest: NetworkRecorder['addSeenRequest'];
  /** Logs the remaining requests. If the renderer is responsive, first waits for messages that it has not sent yet. */
  readonly end: (isResponsive: boolean) => Promise<void>;
}

export interface Recorder {
  readonly record: (job: RecordedJob) => ProtocolRecording;
  /** Disables the protocol's domains. Call this before a job that is not recorded. */
  readonly disable: () => void;
}

type SendToSession = (method: string, parameters?: object, session?: string) => Promise<unknown>;

/** Chromium does not have to buffer response bodies, because they are not read. */
const networkOptions = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };
/** Maximum wait for `flush`, which usually takes 1 ms. */
const flushTimeoutMs = 250;

/**
 * Returns the recorder of a window. Enabling and disabling the protocol's domains costs as much as recording a small page, so they
 * stay enabled between two recorded jobs.
 */
export function recorder(
  { debugger: debug }: WebContents,
  runtime: RuntimeDomain,
  targets: ProtocolTargets,
): Recorder {
  const send: SendToSession = async (method, parameters = {}, session) =>
    debug.sendCommand(method, parameters, session);
  let enabling: Promise<void> | undefined;
  targets.listen({
    prepare({ sessionId }) {
      if (enabling === undefined) return false;
      enableDomains(send, sessionId);
      return true;
    },
  });
  return {
    record(job) {
      const network = new NetworkRecorder(job);
      const recordMessage = recordConsole(job.log);
      const onMessage = (_event: unknown, method: string, message: unknown) => {
        // The domains stay enabled even if the log is full: Electron 33 crashes when the session of a worker ends while the worker
        // sends messages.
        if (job.log.isFull) return;
        network.onMessage(method, message);
        recordMessage(method, message);
      };
      debug.on('message', onMessage);
      enabling ??= enableRecording(send, runtime, targets);
      enabling.catch(() => {});
      return {
        ready: enabling,
        addSeenRequest(url, seenRequest) {
          network.addSeenRequest(url, seenRequest);
        },
        async end(isResponsive) {
          if (isResponsive) await waitAtMost(flushTimeoutMs, flush(send));
          debug.off('message', onMessage);
          await network.end();
        },
      };
    },
    disable() {
      if (enabling !== undefined) disableRecording(send, runtime, targets).catch(() => {});
      enabling = undefined;
    },
  };
}

async function enableRecording(
  send: SendToSession,
  runtime: RuntimeDomain,
  targets: ProtocolTargets,
): Promise<void> {
  const commands = [send('Network.enable', networkOptions), send('Log.enable'), runtime('recording', true)];
  await Promise.all([...commands, targets.attachToAll()]);
}

/**
 * Waits until Chromium has sent all earlier messages, by clearing the page's stored messages: Chromium answers these commands after
 * it has sent the messages.
 */
async function flush(send: SendToSession): Promise<void> {
  await Promise.all([send('Log.clear'), send('Runtime.discardConsoleEntries')]);
}

async function disableRecording(
  send: SendToSession,
  runtime: RuntimeDomain,
  targets: ProtocolTargets,
): Promise<void> {
  const commands = [send('Network.disable'), send('Log.disable'), runtime('recording', false)];
  await Promise.all([...commands, targets.attachToWorkers()]);
}

/**
 * Enables the domains in the session of a new target. Ignores errors: a worker has no Log domain, and the target may have ended.
 */
function enableDomains(send: SendToSession, session: string): void {
  const commands: readonly (readonly [string, object?])[] = [
    ['Network.enable', networkOptions],
    ['Runtime.enable'],
    ['Log.enable'],
  ];
  for (const [method, parameters] of commands) send(method, parameters, session).catch(() => {});
}

async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work.catch(() => {}), timeout]);
  clearTimeout(timer);
}
