/**
 * Attaches the DevTools protocol to what has sessions of its own beside a window's page: workers, and frames in other processes. Each
 * of these targets pauses until the listeners have sent their first commands to it. Shared workers, which belong to no page, are not
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

/** What is attached: workers, or also frames in other processes. */
export type AttachedTargets = 'none' | 'workers' | 'all';

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
  readonly #listeners: TargetListener[] = [];
  #attached: AttachedTargets = 'none';

  constructor(debug: Debugger) {
    this.#debug = debug;
    debug.on('message', (_event, method, message) => {
      if (method === 'Target.attachedToTarget') this.#prepare(message as AttachedMessage);
    });
  }

  listen(listener: TargetListener): void {
    this.#listeners.push(listener);
  }

  async attach(targets: AttachedTargets): Promise<void> {
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
