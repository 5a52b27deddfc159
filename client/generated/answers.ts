/** Generated from the OpenAPI document by `npm run generate`; edit the tables in main/ instead. */

/** The facts about a conversion in the headers of its response. */
export interface ConversionFacts {
  /** unique identifier of the job */
  readonly jobId: string;
  /** address of the debug log, if one is recorded */
  readonly debugLog: string | undefined;
  /** credits that the conversion cost */
  readonly consumedCredits: number;
  /** credits left; absent for an account without a limit */
  readonly remainingCredits: number | undefined;
  /** size of the output in bytes */
  readonly outputSize: number;
  /** number of pages of the output (PDF) */
  readonly pages: number | undefined;
  /** number of pages of the document before print_page_range applies (PDF) */
  readonly totalPages: number | undefined;
  /** number of warnings and errors about the request and the document, such as content that is hidden; 0 if all is well */
  readonly notes: number;
  /** their codes, separated by commas, each once and the most severe first */
  readonly noteCodes: string;
  /** SHA-256 digest of the body (RFC 9530) */
  readonly reprDigest: string;
}

/** The header and the type of each fact. */
export const factHeaders = {
  jobId: ['x-service-job-id', 'string'],
  debugLog: ['x-service-debug-log', 'string'],
  consumedCredits: ['x-service-consumed-credits', 'integer'],
  remainingCredits: ['x-service-remaining-credits', 'integer'],
  outputSize: ['x-service-output-size', 'integer'],
  pages: ['x-service-pages', 'integer'],
  totalPages: ['x-service-total-pages', 'integer'],
  notes: ['x-service-notes', 'integer'],
  noteCodes: ['x-service-note-codes', 'string'],
  reprDigest: ['repr-digest', 'string'],
} as const;

export interface SubmittedJob {
  readonly id: string;
  readonly state: 'queued';
}

export interface Job {
  readonly id: string;
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'canceled';
  readonly account: string;
  readonly tag: string | null;
  readonly input: 'url' | 'file' | 'text' | null;
  readonly input_bytes: number | null;
  readonly output_format: string | null;
  /** the options of the request; secrets are masked, contents omitted */
  readonly parameters: Readonly<Record<string, string>> | null;
  /** null while the job waits or runs */
  readonly outcome: 'converted' | 'failed' | 'caller gone' | 'interrupted' | 'canceled' | null;
  readonly status: number | null;
  readonly reason: number | null;
  readonly message: string | null;
  readonly received_at: string;
  /** null while the job waits in the queue */
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** milliseconds of each stage */
  readonly stages: Readonly<Record<string, number>> | null;
  readonly output_bytes: number | null;
  readonly pages: number | null;
  readonly total_pages: number | null;
  readonly consumed_credits: number;
  /** link to the debug log; null if there is none or it has expired */
  readonly debug_log: string | null;
  /** null for a synchronous job */
  readonly priority: 'interactive' | 'batch' | null;
  readonly callback_url: string | null;
  /** seconds for which the output is kept; null for a synchronous job */
  readonly keep: number | null;
  /** when the output is deleted; null if there is none */
  readonly expires_at: string | null;
  /** id of the batch to which the job of a row belongs; otherwise null */
  readonly batch: string | null;
  /** number of the row, from 1; null if the job belongs to no batch */
  readonly row: number | null;
  /** the numbers of rows of a batch; null for other jobs */
  readonly progress: {
    readonly rows: number;
    readonly done: number;
    readonly failed: number;
    readonly canceled: number;
  } | null;
  /** only in the record of a batch: the first 100 rows that failed */
  readonly failures?: readonly {
    /** number of the row, from 1 */
    readonly row: number;
    /** id of the job of the row */
    readonly job: string;
    readonly status: number | null;
    readonly reason: number | null;
    readonly message: string | null;
  }[];
}

export interface JobList {
  readonly jobs: readonly Job[];
  /** value of before for the next page */
  readonly next: string | null;
}

export interface DebugLog {
  readonly job: {
    readonly id: string;
    readonly account?: string;
    readonly tag?: string;
    readonly received?: string;
    readonly versions?: Readonly<Record<string, string>>;
  };
  readonly outcome: 'converted' | 'failed' | 'caller gone' | 'unfinished';
  readonly failure?: {
    readonly message: string;
    readonly status?: number;
    readonly reason?: number;
    /** the stage in which the job failed */
    readonly stage: string;
  };
  /** what explains the result, the most severe first */
  readonly findings: readonly {
    readonly code: string;
    readonly severity: 'error' | 'warning' | 'info';
    /** what happened, and what to change */
    readonly sentence: string;
    /** options that help */
    readonly options: readonly string[];
  }[];
  readonly events: readonly {
    /** milliseconds since the job began */
    readonly at: number;
    readonly kind: string;
    /** the event as a sentence */
    readonly text: string;
    /** the facts of the event, for programs */
    readonly detail: Readonly<Record<string, unknown>>;
    /** milliseconds */
    readonly took?: number;
  }[];
}

export interface Readiness {
  readonly status: 'ready' | 'not ready';
  /** why it is not ready */
  readonly reason?: string;
}

export interface ErrorBody {
  /** HTTP status */
  readonly status_code: number;
  /** reason code; the descriptions of the responses list all codes */
  readonly reason_code: number;
  /** what failed, why, and what to change */
  readonly message: string;
}
