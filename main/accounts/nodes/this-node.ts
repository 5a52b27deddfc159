/** This service as a node: its heartbeats, and the release of what lost nodes held. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../store/tables.ts';
import { takeLease } from './leases.ts';
import { releaseJobsOfMissingNodes, releaseLostNodes, releaseNode } from './node-jobs.ts';
import {
  insertNode,
  lostAfterMs,
  recordHeartbeat,
  type NodeDescription,
  type NodeState,
} from './node-records.ts';

const heartbeatIntervalMs = 5000;

export interface ThisNodeOptions {
  readonly database: Database;
  /** Whether other nodes may use the database. Without others, there are no heartbeats. */
  readonly isShared: boolean;
  readonly description: Omit<NodeDescription, 'id'>;
  /** Receives errors. The next heartbeat tries again. */
  readonly report: (problem: unknown) => void;
  /** Called with the names of nodes that were lost and whose jobs were released. */
  readonly onReleased?: (names: readonly string[]) => void;
  /** Called if other nodes have given up this node as lost, for example because the machine was suspended. */
  readonly onLost?: () => void;
}

export class ThisNode implements AsyncDisposable {
  readonly #options: ThisNodeOptions;
  readonly #leases = new Set<string>();
  #id = randomUUID();
  #isDraining = false;
  #state: () => NodeState = () => ({ running: 0, problem: undefined });
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  /** When the heartbeats began to succeed without interruption, by performance.now(). */
  #aliveSince = performance.now();
  /** The time of the last heartbeat, by performance.now(). */
  #beatAt = performance.now();
  #isStopped = false;

  private constructor(options: ThisNodeOptions) {
    this.#options = options;
  }

  /**
   * Registers the node, and releases what nodes that no longer exist held. On a database that is not shared, that is everything that
   * an earlier process of the service held.
   */
  static async register(options: ThisNodeOptions): Promise<ThisNode> {
    const node = new ThisNode(options);
    const { database, isShared } = options;
    if (!isShared) await database.deleteFrom('nodes').execute();
    await node.#insert();
    await releaseJobsOfMissingNodes(database);
    if (isShared) node.#beatLater();
    return node;
  }

  /** The id of the node. It changes if other nodes have given up this node as lost. */
  get id(): string {
    return this.#id;
  }

  /** Whether an operator has asked the node to accept no further jobs. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Sets the function whose result each heartbeat records. */
  reportState(state: () => NodeState): void {
    this.#state = state;
  }

  /** Takes or renews a lease. Returns whether this node has it. It is then renewed with each heartbeat. */
  async takeLease(name: string): Promise<boolean> {
    if (!this.#options.isShared) return true;
    if (this.#isStopped || this.#isDraining) return false;
    this.#leases.add(name);
    return await takeLease(this.#options.database, name, this.#id);
  }

  /** Sends a heartbeat now, for example to tell others that the node accepts no more jobs. */
  async beat(): Promise<void> {
    this.#beating = this.#beating.then(() => this.#beat());
    await this.#beating;
  }

  /** Removes the node. Jobs that have not ended are given back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#beating;
    try {
      await releaseNode(this.#options.database, this.#id);
    } catch (problem) {
      // Other nodes release what this node held.
      this.#options.report(problem);
    }
  }

  #beatLater(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      void this.beat().finally(() => {
        this.#beatLater();
      });
    }, heartbeatIntervalMs);
    this.#timer.unref();
  }

  /** Never rejects. */
  async #beat(): Promise<void> {
    const { database, report, onReleased } = this.#options;
    const now = performance.now();
    // If this node stood still, the machines of all nodes may have.
    if (now - this.#beatAt > lostAfterMs) this.#aliveSince = now;
    this.#beatAt = now;
    try {
      const heartbeat = await recordHeartbeat(database, this.#id, this.#state());
      if (heartbeat === undefined) await this.#registerAgain();
      this.#isDraining = heartbeat?.isDraining ?? false;
      if (!this.#isDraining) for (const name of this.#leases) await takeLease(database, name, this.#id);
      // After the database was away, all nodes look silent until they have had the time for a heartbeat.
      if (performance.now() - this.#aliveSince < lostAfterMs) return;
      const released = await releaseLostNodes(database, this.#id);
      if (released.length > 0) onReleased?.(released);
      // Jobs that a node entered after it had been given up.
      await releaseJobsOfMissingNodes(database);
    } catch (problem) {
      this.#aliveSince = performance.now();
      report(problem);
    }
  }

  async #registerAgain(): Promise<void> {
    this.#id = randomUUID();
    await this.#insert();
    this.#options.onLost?.();
  }

  async #insert(): Promise<void> {
    await insertNode(this.#options.database, { id: this.#id, ...this.#options.description });
  }
}
