/** The interface of the ledger, which reserves, charges and refunds the credits of jobs. One implementation for each database. */
import { Failure } from '../../failure/failure.ts';
import type { Database, JobRow } from '../store/tables.ts';
import type { Receipt } from './credits.ts';

export interface NewJob {
  /** Sortable by time. */
  readonly id: string;
  /** Primary key of the account. */
  readonly account: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface EnteredJob {
  /** The credits that the job may still use, including the one that it reserves: 0 if it reserves none; Infinity if unlimited. */
  readonly free: number;
}

/** Identifies a running job. What a node writes about a job that was given back to others has no effect. */
export interface RunningJob {
  readonly id: string;
  /** The id of the node that runs the job. */
  readonly node: string;
}

/** Data of a job that is known after its form has been read. */
export type JobData = Pick<
  JobRow,
  'tag' | 'input' | 'output_format' | 'parameters' | 'input_bytes' | 'debug_log'
>;

/** The size and the number of pages of an output. */
export type OutputFacts = Pick<JobRow, 'output_bytes' | 'pages' | 'total_pages'>;

/** Duration of each stage in milliseconds, by the stage's name. */
export type Stages = Readonly<Record<string, number>>;

export interface JobCharge {
  readonly stages: Stages;
  /** Absent if `hold` has recorded it. */
  readonly output?: OutputFacts | undefined;
  /** Called immediately after the commit, in the same turn of the event loop. */
  readonly acknowledge: () => void;
  /** Writes that are part of the same transaction. They get a connection inside the transaction. */
  readonly alsoWrite?: ((transaction: Database) => Promise<void>) | undefined;
}

export interface Ledger {
  /**
   * Records a job that begins to run on the node, and reserves one credit if one is free.
   * @throws Failure tooManyRequests if a limit of the account is reached, unauthorized if the account was removed
   */
  readonly enter: (job: NewJob, node: string) => Promise<EnteredJob>;
  /**
   * Reserves the whole price and records the data of the output.
   * @throws Failure noCredits if the account has too few free credits; nothing is charged in that case
   */
  readonly hold: (job: RunningJob, price: number, output: OutputFacts) => Promise<Receipt>;
  /**
   * Ends the job as converted and charges the reserved credits. If the account was removed, nothing is charged.
   * @throws Error if the job has already ended or no longer runs on the node; nothing is charged or acknowledged in that case
   */
  readonly charge: (job: RunningJob, charge: JobCharge) => Promise<void>;
  /**
   * Whether `hold` is skipped if the job already reserves the price, which saves a round trip. `charge` then records the data of the
   * output, and the receipt has the balance from when the job was entered.
   */
  readonly skipsNeedlessHolds: boolean;
}

/** Returns the failure of `enter` for an account that was removed. */
export function accountRemoved(): Failure {
  return new Failure('unauthorized', 'The account has been removed.');
}

/** Thrown if a job that should be charged has already ended. */
export class JobAlreadyEnded extends Error {
  constructor(id: string) {
    super(`job ${id} has already ended`);
  }
}
