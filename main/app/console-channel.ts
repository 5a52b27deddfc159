/** The window's end of the console, and of the desk, over IPC: carries calls, runs and outputs; decides nothing about them. */
import type { IpcMainEvent, MessagePortMain, WebContents } from 'electron';
import type { Account } from '../accounts/account.ts';
import type { Refusal, RunEvent } from '../console/contract.ts';
import type { Console as WholeConsole } from '../console/open-console.ts';
import { refusalOf } from '../console/refusal.ts';
import { toFailure } from '../failure/failure.ts';
import type { ChosenPlace } from './chosen.ts';
import { channels } from './desk-channels.ts';
import type { Answer } from './desk-contract.ts';
import type { Desk } from './desk.ts';
import { readRunForm, receiveRunForm } from './run-form.ts';
import { isOwnPage } from './sender.ts';

/** What main/console/ does, for whoever asks. */
export type Console = Pick<WholeConsole, 'call' | 'run' | 'output'>;

export interface ChannelParts {
  readonly console: Console;
  readonly desk: Desk;
  /** Whose rights the window has. */
  readonly account: Account;
  /** Bytes of the largest form. */
  readonly maxUpload: number;
  readonly find: (id: string) => ChosenPlace;
  /** Is told what went wrong by a fault of ours. */
  readonly onFault: (problem: unknown) => void;
}

/** Hears this window alone. */
export function openConsoleChannel(contents: WebContents, parts: ChannelParts): void {
  const { account, console, desk } = parts;
  const answering = (channel: string, answer: (...words: unknown[]) => Promise<unknown>) => {
    contents.ipc.handle(channel, async (event, ...words: unknown[]) => {
      if (!isOwnPage(event.senderFrame, contents.mainFrame)) throw new Error('not the page of the window');
      return answered(answer(...words), parts.onFault);
    });
  };
  answering(channels.call, (name, input) => console.call({ name: String(name), input, caller: account }));
  answering(channels.output, (id) => console.output(String(id), account));
  answering(channels.desk, (name, input) => desk.call(String(name), input));
  answering(channels.dropped, (path) => desk.dropped(String(path)));
  contents.ipc.on(channels.run, (event, form: unknown) => {
    const port = portOf(event, contents);
    if (port !== undefined) void carryRun(port, form, parts);
  });
}

async function answered(work: Promise<unknown>, onFault: ChannelParts['onFault']): Promise<Answer<unknown>> {
  try {
    return { kind: 'answered', result: await work };
  } catch (problem) {
    return { kind: 'refused', refusal: refused(problem, onFault) };
  }
}

function refused(problem: unknown, onFault: ChannelParts['onFault']): Refusal {
  const failure = toFailure(problem);
  if (failure.kind === 'internal') onFault(problem);
  return refusalOf(failure);
}

/** What comes from elsewhere is not even told that it was refused. */
function portOf({ senderFrame, ports }: IpcMainEvent, contents: WebContents): MessagePortMain | undefined {
  const [port] = ports;
  if (isOwnPage(senderFrame, contents.mainFrame)) return port;
  for (const each of ports) each.close();
  return undefined;
}

/** A port that closes, as one of a page that was left does, cancels. */
async function carryRun(port: MessagePortMain, sent: unknown, parts: ChannelParts): Promise<void> {
  const { account, maxUpload, find } = parts;
  const gone = new AbortController();
  const began = performance.now();
  port.on('close', () => {
    gone.abort();
  });
  port.start();
  const on = (event: RunEvent) => {
    if (!gone.signal.aborted) port.postMessage(event);
  };
  try {
    const form = readRunForm(sent);
    const receive = (folder: string) => receiveRunForm(form, { folder, maxUpload, find });
    await parts.console.run({ account, receive, signal: gone.signal, on });
  } catch (problem) {
    const took = performance.now() - began;
    on({ kind: 'failed', job: null, took, ...refused(problem, parts.onFault) });
  }
  port.close();
}
