/**
 * Runs one task in a plain Node subprocess, which can be killed at any time without affecting the service. Does not use a thread:
 * in Electron, a thread that ends may wait forever for V8's own threads, and so does every later thread
 * (docs/decisions/0024-processes-not-threads.md).
 */
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { nextTurn } from '../async/yielding.ts';
import { endOf, startSubprocess } from './start.ts';

export interface SubprocessTask extends TaskMessage {
  /** Path of the compiled program (handle-task.ts). */
  readonly program: string;
  /** Limit of the JavaScript heap in bytes. */
  readonly heapBytes: number;
  readonly timeoutMs: number;
  /** Keeps another process of the program ready for the next task (below). */
  readonly keepsSpare?: true;
  /** Returns the error to throw after the timeout. */
  readonly createTimeoutError: () => Error;
}

/** Thrown if a subprocess ends without an answer. */
export class SubprocessExitError extends Error {
  /** Whether the end indicates that memory ran out: V8 aborted (heap limit), or the operating system killed the process. */
  readonly outOfMemory: boolean;

  constructor(code: number | null, signal: string | null) {
    super(`The subprocess ended with ${signal ?? `code ${String(code)}`} and without an answer.`);
    // On Windows, which has no signals, a process that aborts ends with code 134.
    this.outOfMemory = code === 134 || /^SIG(ABRT|TRAP|ILL|KILL)$/.test(signal ?? '');
  }
}

interface StdioPipes {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

/**
 * Runs the task and returns the program's answer. When the returned promise settles, the process has ended.
 * @throws SubprocessExitError; the error from `createTimeoutError`; the signal's reason; Error if the program cannot start
 */
export async function runInSubprocess(task: SubprocessTask, signal: AbortSignal): Promise<TaskMessage> {
  signal.throwIfAborted();
  const program = (task.keepsSpare && takeSpare(nameOf(task))) ?? start(task);
  const ended = endOf(program);
  // If no file descriptors are free, the process does not start and has no pipes.
  if (!hasPipes(program)) return await ended.then(() => Promise.reject(new SubprocessExitError(null, null)));
  const kill = () => program.kill('SIGKILL');
  let timeoutError: Error | undefined;
  const timer = setTimeout(() => {
    timeoutError = task.createTimeoutError();
    kill();
  }, task.timeoutMs);
  signal.addEventListener('abort', kill);
  // A subprocess in an endless loop must not outlive this process.
  process.once('exit', kill);
  try {
    send(program, task);
    const [output, end] = await Promise.all([readAll(program.stdout), ended]);
    signal.throwIfAborted();
    if (timeoutError !== undefined) throw timeoutError;
    if (end.code !== 0) throw new SubprocessExitError(end.code, end.signal);
    return decodeMessage(output);
  } finally {
    // The process still runs if its answer could not be read.
    kill();
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    process.off('exit', kill);
    if (task.keepsSpare) keepSpare(nameOf(task), () => start(task));
  }
}

/** Returns a name for processes that were started in the same way. */
function nameOf({ program, heapBytes }: SubprocessTask): string {
  return `${program} ${heapBytes}`;
}

/** Starts the program. Of this process's environment, it inherits only SystemRoot, which Windows needs to start a program. */
function start({ program, heapBytes }: SubprocessTask): ChildProcess {
  const megabytes = String(Math.ceil(heapBytes / 1_000_000));
  // Deeply nested documents need more than V8's default stack of 1 MB. The main thread has 8 MB, but only 1 MB on Windows.
  const stack = process.platform === 'win32' ? [] : ['--stack-size=3900'];
  const { SystemRoot } = process.env;
  return startSubprocess(
    process.env.PLATEN_NODE ?? process.execPath,
    [`--max-old-space-size=${megabytes}`, '--max-semi-space-size=16', ...stack, program],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot !== undefined && { SystemRoot }) },
    },
  );
}

function hasPipes(program: ChildProcess): program is ChildProcess & StdioPipes {
  return Boolean(program.stdin) && Boolean(program.stdout);
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return await joined(chunks);
}

/** Bytes that are copied before the event loop continues with other work: a few milliseconds. */
const copiedSlice = 8_000_000;

/** Returns the chunks in one buffer. Copying 100 MB in one step would block the main thread for 50 ms. */
async function joined(chunks: readonly Buffer[]): Promise<Buffer> {
  const all = Buffer.allocUnsafe(chunks.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  let pauseAt = copiedSlice;
  for (const chunk of chunks) {
    if (length > pauseAt) {
      await nextTurn();
      pauseAt = length + copiedSlice;
    }
    length += chunk.copy(all, length);
  }
  return all;
}

/** Sends the task. Ignores a broken pipe: the program has then ended, and its exit code shows why. */
function send({ stdin }: StdioPipes, task: SubprocessTask): void {
  stdin.on('error', () => {});
  for (const part of encodeMessage(task)) stdin.write(part);
  stdin.end();
}

// Spare processes: one is kept ready for the next task of a program, because starting one takes longer than most tasks. A process still
// runs only one task. Only programs that were used recently have a spare process.

/** Time after the last task of a program for which its spare process is kept. */
const keepMs = 30_000;

/** The spare processes, by a name that describes how they were started, and the timers that end them. */
const spares = new Map<string, { readonly child: ChildProcess; readonly timer: NodeJS.Timeout }>();

/** Removes and returns the spare process of this name; undefined if there is none or it has ended. */
function takeSpare(name: string): ChildProcess | undefined {
  const spare = spares.get(name);
  if (spare === undefined) return undefined;
  spares.delete(name);
  const { child, timer } = spare;
  clearTimeout(timer);
  if (!isRunning(child)) return undefined;
  for (const handle of handlesOf(child)) handle.ref();
  return child;
}

/** Starts a spare process for the next task, unless there is one. Ignores a process that does not start. */
function keepSpare(name: string, start: () => ChildProcess): void {
  const spare = spares.get(name);
  if (spare !== undefined && isRunning(spare.child)) {
    spare.timer.refresh();
    return;
  }
  clearTimeout(spare?.timer);
  try {
    const child = start();
    child.once('error', () => {});
    // A spare process keeps neither this process running nor a machine busy that no longer needs it.
    for (const handle of handlesOf(child)) handle.unref();
    const timer = setTimeout(() => {
      takeSpare(name)?.kill('SIGKILL');
    }, keepMs).unref();
    spares.set(name, { child, timer });
  } catch {
    // For example for lack of memory. The next task starts its own process, and reports the problem.
  }
}

process.once('exit', () => {
  for (const { child } of spares.values()) child.kill('SIGKILL');
});

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

interface Handle {
  ref(): unknown;
  unref(): unknown;
}

/** The process and its pipes, which are sockets. */
function handlesOf(child: ChildProcess): Handle[] {
  return [child, ...[child.stdin, child.stdout].flatMap((pipe) => (pipe ? [pipe as unknown as Handle] : []))];
}

// Encodes the messages between the service and a subprocess, in both directions: JSON and bytes. The format does not depend on the
// version of Node or V8, because both processes may run different versions.

export interface TaskMessage {
  /** Any JSON value. */
  readonly json: unknown;
  readonly bytes: Uint8Array;
}

const lengthBytes = 4;

/** Returns the chunks to write in this order: the length of the JSON, the JSON, the bytes. */
export function encodeMessage({ json: value, bytes }: TaskMessage): readonly Uint8Array[] {
  const json = Buffer.from(JSON.stringify(value), 'utf8');
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(json.length);
  return [length, json, bytes];
}

/** @throws Error for a malformed or truncated message */
export function decodeMessage(message: Buffer): TaskMessage {
  const end = message.length < lengthBytes ? Infinity : lengthBytes + message.readUInt32BE();
  if (message.length < end) throw new Error('The message is truncated.');
  const json: unknown = JSON.parse(message.toString('utf8', lengthBytes, end));
  return { json, bytes: message.subarray(end) };
}
