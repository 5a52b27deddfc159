/**
 * Runs one task in a plain Node subprocess, which can be killed at any time without affecting the service. It is not a thread: in
 * Electron the end of a thread may wait forever for V8's threads, and block every later thread (decision 24).
 */
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { endOf, startSubprocess } from './start.ts';

export interface SubprocessTask extends TaskMessage {
  /** Path of the compiled program (handle-task.ts). */
  readonly program: string;
  /** Limit of the JavaScript heap in bytes. */
  readonly heapBytes: number;
  /** Timeout in milliseconds. */
  readonly timeoutMs: number;
  /** Returns the error to throw after the timeout. */
  readonly createTimeoutError: () => Error;
}

/** The subprocess ended without an answer. */
export class SubprocessExitError extends Error {
  /** Whether V8 (full heap) or the system (no memory) ended the process. */
  readonly outOfMemory: boolean;

  constructor(code: number | null, signal: string | null) {
    super(`The subprocess ended with ${signal ?? `code ${String(code)}`} and without an answer.`);
    // Exit code 134 is SIGABRT on systems without signals.
    this.outOfMemory = code === 134 || /^SIG(ABRT|TRAP|ILL|KILL)$/.test(signal ?? '');
  }
}

interface Program {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

/**
 * Returns the answer of the program. The process has ended when this returns or throws.
 * @throws SubprocessExitError; the error from `createTimeoutError`; the signal's reason
 */
export async function runInSubprocess(task: SubprocessTask, signal: AbortSignal): Promise<TaskMessage> {
  signal.throwIfAborted();
  const program = start(task);
  const ended = endOf(program);
  // Without free file descriptors the process does not start and has no pipes.
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
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    process.off('exit', kill);
  }
}

/** Starts the program without this process's environment, except what Windows needs to start a program. */
function start({ program, heapBytes }: SubprocessTask): ChildProcess {
  const megabytes = String(Math.ceil(heapBytes / 1_000_000));
  // Deep documents need more than Node's default stack of 1 MB. The main thread has 8 MB, except on Windows, where it has 1 MB.
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

function hasPipes(program: ChildProcess): program is ChildProcess & Program {
  return Boolean(program.stdin) && Boolean(program.stdout);
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Sends the task. Ignores a broken pipe, because the exit code of the program names the cause. */
function send({ stdin }: Program, task: SubprocessTask): void {
  stdin.on('error', () => {});
  for (const part of encodeMessage(task)) stdin.write(part);
  stdin.end();
}

// Encodes the messages between the service and a subprocess: JSON and bytes, in both directions. The format does not depend on a
// runtime, because the two processes may run different versions.

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
