/**
 * Passes IPC messages of the console window to the functions of main/console/ and to the native bridge: calls, runs and outputs.
 */
import type { IpcMainEvent, MessagePortMain, WebContents } from 'electron';
import type { Account } from '../../accounts/account.ts';
import type { ConsoleRefusal, RunEvent } from '../../console/contract.ts';
import type { Console as WholeConsole } from '../../console/open-console.ts';
import { refusalOf } from '../../console/calls.ts';
import { toFailure } from '../../failure/failure.ts';
import type { PickedPath } from '../native-bridge/picked-files.ts';
import { channels, consoleOrigin, type NativeAnswer } from '../native-bridge/contract.ts';
import type { NativeBridge } from '../native-bridge/native-bridge.ts';
import { readRunForm, receiveRunForm } from './run-form.ts';
import type { JobFolder } from '../../job/job.ts';

/** The functions of main/console/ that the window uses. */
export type ConsoleCalls = Pick<WholeConsole, 'call' | 'run' | 'output'>;

interface ChannelDependencies {
  readonly console: ConsoleCalls;
  readonly nativeBridge: NativeBridge;
  /** The account that calls and runs from the window use. */
  readonly account: Account;
  /** Maximum size of the form of a run, in bytes. */
  readonly maxUpload: number;
  readonly find: (id: string) => PickedPath;
  /** Called with each error that is not an expected failure (kind `internal`). */
  readonly onFault: (problem: unknown) => void;
}

/** Registers the IPC handlers of the console window. They accept messages only from its main frame. */
export function openConsoleChannel(contents: WebContents, dependencies: ChannelDependencies): void {
  const { account, console, nativeBridge } = dependencies;
  const handle = (channel: string, answer: (...words: unknown[]) => Promise<unknown>) => {
    contents.ipc.handle(channel, async (event, ...words: unknown[]) => {
      if (!isConsolePage(event.senderFrame, contents.mainFrame))
        throw new Error('the sender is not the page of the console window');
      return toAnswer(answer(...words), dependencies.onFault);
    });
  };
  handle(channels.call, (name, input) => console.call({ name: String(name), input, caller: account }));
  handle(channels.output, (id) => console.output(String(id), account));
  handle(channels.native, (name, input) => nativeBridge.call(String(name), input));
  handle(channels.dropped, (path) => nativeBridge.dropped(String(path)));
  contents.ipc.on(channels.run, (event, form: unknown) => {
    const port = portOf(event, contents);
    if (port !== undefined) void executeRun(port, form, dependencies);
  });
}

async function toAnswer(
  work: Promise<unknown>,
  onFault: ChannelDependencies['onFault'],
): Promise<NativeAnswer<unknown>> {
  try {
    return { kind: 'answered', result: await work };
  } catch (problem) {
    return { kind: 'refused', refusal: toRefusal(problem, onFault) };
  }
}

function toRefusal(problem: unknown, onFault: ChannelDependencies['onFault']): ConsoleRefusal {
  const failure = toFailure(problem);
  if (failure.kind === 'internal') onFault(problem);
  return refusalOf(failure);
}

/**
 * Returns the message port sent with a run; undefined if there is none. Closes the ports and returns undefined if the sender is not
 * the console page.
 */
function portOf({ senderFrame, ports }: IpcMainEvent, contents: WebContents): MessagePortMain | undefined {
  const [port] = ports;
  if (isConsolePage(senderFrame, contents.mainFrame)) return port;
  for (const each of ports) each.close();
  return undefined;
}

/**
 * Executes a run and sends its events over the port. The run is cancelled if the port closes, for example because the page unloads.
 */
async function executeRun(
  port: MessagePortMain,
  data: unknown,
  dependencies: ChannelDependencies,
): Promise<void> {
  const { account, maxUpload, find } = dependencies;
  const cancelled = new AbortController();
  const startMs = performance.now();
  port.on('close', () => {
    cancelled.abort();
  });
  port.start();
  const onEvent = (event: RunEvent) => {
    if (!cancelled.signal.aborted) port.postMessage(event);
  };
  try {
    const form = readRunForm(data);
    const receive = (folder: JobFolder) => receiveRunForm(form, { folder, maxUpload, find });
    await dependencies.console.run({ account, receive, signal: cancelled.signal, onEvent });
  } catch (problem) {
    const elapsedMs = performance.now() - startMs;
    onEvent({ kind: 'failed', job: null, took: elapsedMs, ...toRefusal(problem, dependencies.onFault) });
  }
  port.close();
}

/** The properties of a frame that `isConsolePage` checks. */
interface Frame {
  readonly origin: string;
  readonly parent: unknown;
}

/** Returns whether the sender is the window's main frame and shows a page of the console. */
function isConsolePage(frame: Frame | null, mainFrame: Frame): boolean {
  return frame !== null && frame === mainFrame && frame.parent === null && frame.origin === consoleOrigin;
}
