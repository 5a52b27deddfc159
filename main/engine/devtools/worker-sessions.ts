/** The DevTools protocol's sessions of the workers of a window's pages, so that settling can ask each worker what it does. */
import type { Debugger } from 'electron';
import { pageScriptCall } from './evaluate.ts';
import type { ProtocolTarget, ProtocolTargets } from './targets.ts';
import type { WorkerState } from '../page-scripts/worker-activity.ts';

export interface BusyWorker {
  readonly name: string;
  /** Whether the worker has not answered for a long time. It may wait forever, as in `Atomics.wait`. */
  readonly isOverdue: boolean;
}

export interface WorkerStates {
  readonly busy: readonly BusyWorker[];
  /** The number of tasks of all workers so far. */
  readonly activity: number;
}

export interface WorkerSessions {
  /** Asks all workers. `limitMs`: timers that are due later do not count. */
  readonly ask: (limitMs: number) => Promise<WorkerStates>;
}

interface WorkerSession {
  readonly name: string;
  /** Whether the worker runs, so that it can answer. */
  isRunning: boolean;
  /** When the question was sent that is not answered yet. */
  askedAt: number | undefined;
  answer: Promise<void>;
  state: WorkerState;
}

interface SessionMessage {
  readonly sessionId: string;
  readonly callFrames: readonly { readonly callFrameId: string }[];
}

/** Further workers of a page are not watched. */
const maxSessions = 20;
/** A worker that does not answer within this time, in milliseconds, is computing. */
const answerTimeoutMs = 10;
/** A worker that computes for longer, in milliseconds, is awaited only while the page looks unfinished. */
const maxComputingMs = 3000;
const maxNameLength = 200;
const maxCount = 1e9;
const idle: WorkerState = { busy: '', activity: 0 };

export function workerSessions(debug: Debugger, targets: ProtocolTargets): WorkerSessions {
  const sessions = new WorkerSessionList(debug);
  targets.listen({
    prepare: (target) => sessions.prepare(target),
    onRunning: (sessionId) => {
      sessions.onRunning(sessionId);
    },
  });
  debug.on('message', (_event, method, message, sessionId) => {
    sessions.onMessage(method, message as SessionMessage, sessionId);
  });
  return sessions;
}

class WorkerSessionList implements WorkerSessions {
  readonly #debug: Debugger;
  readonly #sessions = new Map<string, WorkerSession>();

  constructor(debug: Debugger) {
    this.#debug = debug;
  }

  onMessage(method: string, message: SessionMessage, sessionId: string): void {
    if (method === 'Target.detachedFromTarget') this.#sessions.delete(message.sessionId);
    else if (method === 'Debugger.paused' && this.#sessions.has(sessionId))
      void this.#installScript(sessionId, message.callFrames[0]?.callFrameId);
  }

  async ask(limitMs: number): Promise<WorkerStates> {
    const sessions = [...this.#sessions];
    if (sessions.length === 0) return { busy: [], activity: 0 };
    for (const [id, session] of sessions) this.#askSession(id, session, limitMs);
    const answers = Promise.all(sessions.map(([, { answer }]) => answer));
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => (timer = setTimeout(resolve, answerTimeoutMs)));
    await Promise.race([answers, timeout]);
    clearTimeout(timer);
    const now = performance.now();
    const busy = [...this.#sessions.values()]
      .filter(({ askedAt, state }) => askedAt !== undefined || state.busy !== '')
      .map(({ name, askedAt }) => ({ name, isOverdue: now - (askedAt ?? now) > maxComputingMs }));
    return { busy, activity: sessions.reduce((sum, [, { state }]) => sum + state.activity, 0) };
  }

  /** Returns whether the target is a worker that is watched. */
  prepare({ sessionId, type, url }: ProtocolTarget): boolean {
    if (type !== 'worker' || this.#sessions.size >= maxSessions) return false;
    this.#sessions.set(sessionId, {
      name: url.slice(0, maxNameLength),
      isRunning: false,
      askedAt: undefined,
      answer: Promise.resolve(),
      state: idle,
    });
    // Chromium 130 does not answer `Runtime.evaluate` before a worker has resumed, so the script runs at a breakpoint.
    this.#send('Debugger.enable', {}, sessionId);
    this.#send(
      'Debugger.setInstrumentationBreakpoint',
      { instrumentation: 'beforeScriptExecution' },
      sessionId,
    );
    return true;
  }

  onRunning(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) session.isRunning = true;
  }

  async #installScript(sessionId: string, callFrameId: string | undefined): Promise<void> {
    const expression = await pageScriptCall('worker-activity.install');
    this.#send('Debugger.evaluateOnCallFrame', { callFrameId, expression, silent: true }, sessionId);
    // Also resumes the worker, and keeps `debugger` statements from stopping it.
    this.#send('Debugger.disable', {}, sessionId);
  }

  #askSession(sessionId: string, session: WorkerSession, limitMs: number): void {
    if (session.askedAt !== undefined || !session.isRunning) return;
    session.askedAt = performance.now();
    const question = {
      expression: `globalThis[Symbol.for('platen.worker-activity')]?.state(${limitMs})`,
      awaitPromise: true,
      returnByValue: true,
    };
    const onAnswer = (answer: unknown) => {
      session.askedAt = undefined;
      session.state = readState(answer);
    };
    session.answer = this.#debug
      .sendCommand('Runtime.evaluate', question, sessionId)
      .then(onAnswer, onAnswer);
  }

  /** Sends a command; ignores errors, because the worker may have ended. */
  #send(method: string, parameters: object, sessionId: string): void {
    this.#debug.sendCommand(method, parameters, sessionId).catch(() => {});
  }
}

/** Returns the state in an answer. It is checked, because the worker's script can forge it. */
function readState(answer: unknown): WorkerState {
  const { result } = (answer ?? {}) as { readonly result?: { readonly value?: Partial<WorkerState> | null } };
  const { busy, activity } = result?.value ?? {};
  return {
    busy: typeof busy === 'string' ? busy.slice(0, maxNameLength) : '',
    activity: typeof activity === 'number' && activity >= 0 && activity < maxCount ? activity : 0,
  };
}
