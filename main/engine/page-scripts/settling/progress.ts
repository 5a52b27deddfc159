/** Parameters and result of `advance` of the page script `settling`. */
import type { PendingWork } from './pending-work.ts';

export interface AdvanceOptions {
  /** Whether to count page time from this call on. */
  readonly restart: boolean;
  /** Addresses of resources that have just arrived. */
  readonly arrived: readonly string[];
  /** The largest page time to play, in milliseconds since the last restart. */
  readonly limit: number;
  /** The largest real time for this call, in milliseconds. */
  readonly budget: number;
  /** The workers that have pending work. Overdue ones count only while the page looks unfinished. */
  readonly busyWorkers: readonly { readonly name: string; readonly isOverdue: boolean }[];
  /** Whether page time may jump: in general, only if the service sees no pending request for a module. */
  readonly mayJump: boolean;
}

export interface Progress {
  /**
   * `quiet`: nothing more happens within the limit. `waiting`: pending work needs real time. `more`: call again; the budget is used
   * up, the page's tasks took too long, or page time has to jump.
   */
  readonly state: 'quiet' | 'waiting' | 'more';
  readonly pending: readonly PendingWork[];
  /** Page time since the last restart, in milliseconds. */
  readonly pageTime: number;
  /** The numbers of animation frames, timers and ends of animations that have been played since the document began. */
  readonly frames: number;
  readonly timers: number;
  readonly animations: number;
  /** Descriptions of activity that continues after the limit; always empty unless `state` is `quiet`. */
  readonly endlessActivity: readonly string[];
  /** The number of targets of intersection observers that have not been visible. */
  readonly hiddenTargets: number;
  readonly listensToScroll: boolean;
  /**
   * Whether the next step is a long jump of page time that the service must allow first (`mayJump`). The page cannot detect a
   * pending `import()`; the service can.
   */
  readonly needsJump: boolean;
  /** Whether the page has module scripts; always false unless `state` is `quiet`. */
  readonly usesModules: boolean;
  /** Whether the document has animations that follow scrolling. */
  readonly followsScrolling: boolean;
  /** Addresses in `arrived` that this frame has not received. */
  readonly notReceived: readonly string[];
}
