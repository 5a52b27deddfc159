/** An account as the rest of the house knows it: who asks, and what is special about it. */
export interface Account {
  /** In the database. */
  readonly id: number;
  readonly name: string;
  /** Sees every job, account and setting. */
  readonly operator: boolean;
  /** Each of its jobs has a debug log, asked for or not. */
  readonly debugLog: boolean;
}
