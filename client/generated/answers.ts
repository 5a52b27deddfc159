/** Generated from the OpenAPI document by `npm run generate`; edit the tables in main/ instead. */

/** What the headers of an answer tell of a conversion. */
export interface ConversionFacts {
  /** unique identifier of the job */
  readonly jobId: string;
  /** address of the debug log, when debug_log was asked for */
  readonly debugLog: string | undefined;
  /** credits this conversion took */
  readonly consumedCredits: number;
  /** credits left; absent for an account without a limit */
  readonly remainingCredits: number | undefined;
  /** bytes of the output */
  readonly outputSize: number;
  /** pages of the output (PDF) */
  readonly pages: number | undefined;
  /** pages of the document before print_page_range (PDF) */
  readonly totalPages: number | undefined;
  /** notes about the request, such as an option without effect; the debug log names them */
  readonly notes: number;
}

/** The header of each, and what it holds. */
export const factHeaders = {
  jobId: ['x-service-job-id', 'string'],
  debugLog: ['x-service-debug-log', 'string'],
  consumedCredits: ['x-service-consumed-credits', 'integer'],
  remainingCredits: ['x-service-remaining-credits', 'integer'],
  outputSize: ['x-service-output-size', 'integer'],
  pages: ['x-service-pages', 'integer'],
  totalPages: ['x-service-total-pages', 'integer'],
  notes: ['x-service-notes', 'integer'],
} as const;

export interface Job {
  readonly id: string;
  readonly account: string;
  readonly tag: string | null;
  readonly input: 'url' | 'file' | 'text' | null;
  readonly input_bytes: number | null;
  readonly output_format: string | null;
  /** the options given, secrets masked and contents left out */
  readonly parameters: Readonly<Record<string, string>> | null;
  /** null while it is under way */
  readonly outcome: 'converted' | 'failed' | 'caller gone' | 'interrupted' | null;
  readonly status: number | null;
  readonly reason: number | null;
  readonly message: string | null;
  readonly received_at: string;
  readonly ended_at: string | null;
  /** milliseconds of each stage */
  readonly stages: Readonly<Record<string, number>> | null;
  readonly output_bytes: number | null;
  readonly pages: number | null;
  readonly total_pages: number | null;
  readonly consumed_credits: number;
  /** while it can be read */
  readonly debug_log: string | null;
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
    /** where it happened */
    readonly stage: string;
  };
  /** what explains the result, the weightiest first */
  readonly findings: readonly {
    readonly code: string;
    readonly severity: 'error' | 'warning' | 'info';
    /** what happened, and what to change */
    readonly sentence: string;
    /** options that would change it */
    readonly options: readonly string[];
  }[];
  readonly events: readonly {
    /** milliseconds since the job began */
    readonly at: number;
    readonly kind: string;
    /** the event for people */
    readonly text: string;
    /** the same and more for programs */
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
  /** what exactly went wrong */
  readonly reason_code: number;
  /** what, why, and what to change */
  readonly message: string;
}
