/**
 * Owns a process of plain Node for one errand: it can be ended whatever it does, and takes nothing with it. Not a thread: a
 * thread that ends in Electron may wait for V8's own threads for ever, and every later one with it (decision 24).
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { packed, unpacked, type Parcel } from './errand.ts';

export interface Errand extends Parcel {
  /** The compiled program: an apart program (apart-program.ts). */
  readonly program: string;
  /** Bytes that its JavaScript heap may have. */
  readonly heap: number;
  /** Milliseconds it may take, and what is thrown when it takes longer. */
  readonly time: number;
  readonly late: () => Error;
}

/** The process ended without an answer. */
export class EndedApart extends Error {
  /** As V8 ends a process whose heap is full, or the system one when it has no more memory. */
  readonly outOfMemory: boolean;

  constructor(code: number | null, signal: string | null) {
    super(`The program ended with ${signal ?? `code ${String(code)}`} and without an answer.`);
    // 134 is SIGABRT where there are no signals.
    this.outOfMemory = code === 134 || /^SIG(ABRT|TRAP|ILL|KILL)$/.test(signal ?? '');
  }
}

type Program = ChildProcessByStdio<Writable, Readable, null>;

/**
 * What the program answers. When this returns or throws, the process has ended.
 * @throws EndedApart; what `late` says; the signal's reason
 */
export async function runApart(errand: Errand, signal: AbortSignal): Promise<Parcel> {
  signal.throwIfAborted();
  const program = start(errand);
  const ended = endOf(program);
  // Without file descriptors it has neither started nor pipes.
  if (!hasPipes(program)) return await ended.then(() => Promise.reject(new EndedApart(null, null)));
  const kill = () => program.kill('SIGKILL');
  let late: Error | undefined;
  const timer = setTimeout(() => {
    late = errand.late();
    kill();
  }, errand.time);
  signal.addEventListener('abort', kill);
  // Nobody would end an endless one after this process.
  process.once('exit', kill);
  try {
    send(program, errand);
    const [said, end] = await Promise.all([everything(program.stdout), ended]);
    signal.throwIfAborted();
    if (late !== undefined) throw late;
    if (end.code !== 0) throw new EndedApart(end.code, end.signal);
    return unpacked(said);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    process.off('exit', kill);
  }
}

/** Nothing of this process's environment but what Windows needs to start a program. */
function start({ program, heap }: Errand): Program {
  const megabytes = String(Math.ceil(heap / 1_000_000));
  // Threads of main programs have 8 MB where they have not one; deep documents need more than Node's usual one.
  const stack = process.platform === 'win32' ? [] : ['--stack-size=3900'];
  const { SystemRoot } = process.env;
  return spawn(
    process.env.PLATEN_NODE ?? process.execPath,
    [`--max-old-space-size=${megabytes}`, '--max-semi-space-size=16', ...stack, program],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
      env: { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot !== undefined && { SystemRoot }) },
    },
  );
}

function hasPipes({ stdin, stdout }: Partial<Program>): boolean {
  return Boolean(stdin) && Boolean(stdout);
}

async function everything(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

/** @throws Error when it could not be started */
async function endOf(program: Program): Promise<End> {
  const [code, signal] = (await once(program, 'close')) as [End['code'], End['signal']];
  return { code, signal };
}

/** A program that ends early breaks the pipe; its end tells more. */
function send({ stdin }: Program, errand: Errand): void {
  stdin.on('error', () => {});
  for (const part of packed(errand)) stdin.write(part);
  stdin.end();
}
