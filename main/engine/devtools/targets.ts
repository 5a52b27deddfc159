/**
 * Attaches the DevTools protocol to the workers of a window's pages and to frames in other processes, which have separate sessions. A
 * new target pauses until the listeners have sent their first commands to it. Shared workers, which belong to no page, are not
 * attached.
 */
import type { Debugger } from 'electron';

export interface ProtocolTarget {
  readonly sessionId: string;
  readonly type: string;
  readonly url: string;
}

export interface TargetListener {
  /** Called before the target runs. Returns whether this listener watches the target and what it starts. */
  readonly prepare: (target: ProtocolTarget) => boolean;
  /** Called when a target that the listener watches runs, so that it can answer. */
  readonly onRunning?: (sessionId: string) => void;
}

/** `all`: workers, and frames in other processes. */
type AttachedTargets = 'none' | 'workers' | 'all';

const attaching = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** Parameters of the command `Target.setAutoAttach`. */
const autoAttach: Readonly<Record<AttachedTargets, object>> = {
  none: { autoAttach: false, waitForDebuggerOnStart: false, flatten: true },
  // Worklets are included, because Chromium also pauses those that the filter excludes.
  workers: { ...attaching, filter: [{ type: 'iframe', exclude: true }, { type: 'page', exclude: true }, {}] },
  all: attaching,
};

interface AttachedMessage {
  readonly sessionId: string;
  readonly targetInfo: Omit<ProtocolTarget, 'sessionId'>;
}

export class ProtocolTargets {
  readonly #debug: Debugger;
  readonly #usual: AttachedTargets;
  readonly #listeners: TargetListener[] = [];
  #attached: AttachedTargets = 'none';

  /** `runsScripts`: the window's documents run scripts, so that they may have workers. */
  constructor(debug: Debugger, runsScripts: boolean) {
    this.#debug = debug;
    this.#usual = runsScripts ? 'workers' : 'none';
    debug.on('message', (_event, method, message) => {
      if (method === 'Target.attachedToTarget') this.#prepare(message as AttachedMessage);
    });
  }

  listen(listener: TargetListener): void {
    this.#listeners.push(listener);
  }

  /** Attaches to workers, in a window that runs scripts. After `attachToAll`, no longer attaches to frames. */
  async attachToWorkers(): Promise<void> {
    await this.#attachTo(this.#usual);
  }

  /** Attaches to workers, and to frames in other processes. */
  async attachToAll(): Promise<void> {
    await this.#attachTo('all');
  }

  async #attachTo(targets: AttachedTargets): Promise<void> {
    if (targets === this.#attached) return;
    this.#attached = targets;
    await this.#debug.sendCommand('Target.setAutoAttach', autoAttach[targets]);
  }

  /** Ignores errors of the protocol, because the target may have ended. */
  #prepare({ sessionId, targetInfo: { type, url } }: AttachedMessage): void {
    const watching = this.#listeners.filter(({ prepare }) => prepare({ sessionId, type, url }));
    if (watching.length > 0)
      this.#debug.sendCommand('Target.setAutoAttach', autoAttach[this.#attached], sessionId).catch(() => {});
    const onRunning = () => {
      for (const listener of watching) listener.onRunning?.(sessionId);
    };
    this.#debug.sendCommand('Runtime.runIfWaitingForDebugger', {}, sessionId).then(onRunning, () => {});
  }
}
