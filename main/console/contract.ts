/**
 * THE TABLE of calls: what the user interface may ask of the service, whether it is a browser that asks over HTTP or the tray's
 * window over IPC. `renderer/` takes its types from here, so a call and its answer are written once. Times are milliseconds
 * (points in time: since 1970), sizes bytes.
 */
import { z } from 'zod';
import type { AccountFacts, KeyFacts } from '../accounts/account.ts';
import type { Outcome } from '../accounts/tables.ts';
import type { LogEvent, Versions } from '../log/events.ts';
import type { Finding } from '../log/findings/finding.ts';
import type { JobSummary } from '../log/job-summary.ts';
import type { SettingView } from '../settings/setting-view.ts';

export type { SettingView };

const name = z.string().min(1).max(200);
const jobId = z.string().regex(/^[0-9a-z]{26}$/, 'the id of a job');
const credits = z.union([z.literal('unlimited'), z.int().min(0)]);
const limit = z.union([z.literal('none'), z.int().min(1)]);
const change = {
  operator: z.boolean().optional(),
  refill: z
    .union([z.literal('none'), z.strictObject({ credits: z.int().min(1), period: z.enum(['day', 'month']) })])
    .optional(),
  jobsAtOnce: limit.optional(),
  jobsPerMinute: limit.optional(),
  debugLog: z.boolean().optional(),
};

/** Who may make a call: everybody of his own things, or an operator alone. */
export type Right = 'everybody' | 'operator';

/** Each call: who may make it, and what it takes. */
export const calls = {
  state: { right: 'everybody', input: z.strictObject({}) },
  jobs: {
    right: 'everybody',
    input: z.strictObject({
      limit: z.int().min(1).max(500).default(50),
      /** Only jobs older than this one. */
      before: jobId.optional(),
      account: name.optional(),
      outcome: z.enum(['converted', 'failed', 'caller gone', 'interrupted', 'under way']).optional(),
      /** Stands in the tag, the id or the message, whatever its case. */
      text: z.string().max(200).optional(),
    }),
  },
  job: { right: 'everybody', input: z.strictObject({ id: jobId }) },
  log: { right: 'everybody', input: z.strictObject({ job: jobId }) },
  pause: { right: 'operator', input: z.strictObject({}) },
  resume: { right: 'operator', input: z.strictObject({}) },
  restart: { right: 'operator', input: z.strictObject({}) },
  selfTest: { right: 'operator', input: z.strictObject({}) },
  settings: { right: 'operator', input: z.strictObject({}) },
  /** As the operator writes them; null: back to the default. */
  changeSettings: {
    right: 'operator',
    input: z.strictObject({ values: z.record(z.string(), z.string().max(100_000).nullable()) }),
  },
  accounts: { right: 'operator', input: z.strictObject({}) },
  addAccount: {
    right: 'operator',
    input: z.strictObject({ name, ...change, credits: credits.optional() }),
  },
  changeAccount: { right: 'operator', input: z.strictObject({ name, ...change }) },
  removeAccount: { right: 'operator', input: z.strictObject({ name }) },
  setCredits: {
    right: 'operator',
    input: z.strictObject({ name, credits: z.union([credits, z.strictObject({ add: z.int() })]) }),
  },
  keys: { right: 'operator', input: z.strictObject({ name }) },
  addKey: { right: 'operator', input: z.strictObject({ name, purpose: z.string().min(1).max(100) }) },
  revokeKey: { right: 'operator', input: z.strictObject({ name, id: z.string().max(100) }) },
} as const satisfies Record<string, { readonly right: Right; readonly input: z.ZodType }>;

export type CallName = keyof typeof calls;

/** As it is written; defaults may be left out. */
export type InputOf<N extends CallName> = z.input<(typeof calls)[N]['input']>;

/** As it is read. */
export type ReadOf<N extends CallName> = z.output<(typeof calls)[N]['input']>;

export interface Results {
  readonly state: State;
  readonly jobs: JobList;
  readonly job: JobView;
  readonly log: Explanation;
  readonly pause: State;
  readonly resume: State;
  /** It has been told; the service comes back at the same address. */
  readonly restart: null;
  readonly selfTest: SelfTestReport;
  readonly settings: SettingsView;
  readonly changeSettings: SettingsView;
  readonly accounts: readonly AccountFacts[];
  /** The key: it is shown this once. */
  readonly addAccount: { readonly key: string };
  readonly changeAccount: null;
  readonly removeAccount: null;
  readonly setCredits: null;
  readonly keys: readonly KeyFacts[];
  readonly addKey: { readonly key: string };
  readonly revokeKey: null;
}

/** A call that is refused. Over HTTP it is the error format in JSON, with this status. */
export interface Refusal {
  readonly status: number;
  readonly reason: number;
  readonly message: string;
  /** Seconds after which it makes sense to try again. */
  readonly retryAfter?: number;
}

/** What becomes of a hot folder; numbers since the service began. */
export interface HotFolderState {
  /** Absolute. */
  readonly path: string;
  /** Why nothing is converted in it just now; absent: all is well. */
  readonly trouble?: string;
  readonly waiting: number;
  readonly converting: number;
  readonly converted: number;
  readonly failed: number;
}

export interface State {
  /** `trouble`: it cannot take jobs just now, and `why` says so. */
  readonly is: 'ready' | 'busy' | 'paused' | 'stopping' | 'trouble';
  readonly why?: string;
  /** Jobs in windows. */
  readonly working: number;
  /** Jobs that wait for one. */
  readonly waiting: number;
  readonly windows: number;
  /** Who asks. */
  readonly account: {
    readonly name: string;
    readonly operator: boolean;
    readonly demo: boolean;
    /** Absent: unlimited. */
    readonly balance?: number;
  };
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly versions: Versions;
  /** Pages reach: nothing, public addresses, or those of the house too. */
  readonly network: 'intranet' | 'public' | 'offline';
  /** Largest request, bytes. */
  readonly maxUpload: number;
  /** Milliseconds a debug log is kept. */
  readonly logsKept: number;
  /** Those of the settings; only an operator learns of them. */
  readonly hotFolders?: readonly HotFolderState[];
  /** Only an operator learns it. */
  readonly data?: string;
}

export interface JobList {
  /** Newest first. */
  readonly jobs: readonly JobView[];
  /** The job before which the next page begins; null after the last page. */
  readonly next: string | null;
}

export interface JobView {
  readonly id: string;
  readonly account: string;
  readonly tag: string | null;
  readonly input: 'url' | 'file' | 'text' | null;
  readonly inputBytes: number | null;
  readonly outputFormat: string | null;
  /** What was given: secrets masked, contents as their lengths. */
  readonly parameters: Readonly<Record<string, string>> | null;
  /** Null while it is under way. */
  readonly outcome: Outcome | null;
  readonly status: number | null;
  readonly reason: number | null;
  readonly message: string | null;
  readonly received: number;
  readonly ended: number | null;
  readonly stages: Readonly<Record<string, number>> | null;
  readonly outputBytes: number | null;
  readonly pages: number | null;
  readonly totalPages: number | null;
  readonly credits: number;
  /** Whether it has a debug log that is still kept. */
  readonly explained: boolean;
}

/** A debug log, and what follows from it. */
export interface Explanation {
  readonly summary: JobSummary;
  readonly findings: readonly Finding[];
  readonly events: readonly LogEvent[];
  /** Of its page for browsers; it opens without credentials. */
  readonly link: string;
}

export interface SettingsView {
  readonly settings: readonly SettingView[];
  /** Where changes are written. */
  readonly file: string;
  /** Whether the file says something else than what is in force: a restart makes it so. */
  readonly restartNeeded: boolean;
  /** Whether `restart` can be called: not without a launcher. */
  readonly restartable: boolean;
  /** Why the file, as it is now, would stop a start; a restart is refused until it is corrected. */
  readonly problem?: string;
}

export interface SelfTestReport {
  readonly passed: boolean;
  readonly began: number;
  readonly took: number;
  readonly checks: readonly {
    readonly name: string;
    readonly passed: boolean;
    /** It has passed, but something is worth knowing. */
    readonly warning?: true;
    /** What was found, in one sentence; of a failed one also what to do. */
    readonly says: string;
    readonly took: number;
  }[];
}

/** What a run tells while it goes on. The last one is `converted` or `failed`; a run that is cancelled tells nothing more. */
export type RunEvent =
  | { readonly kind: 'begun'; readonly job: string }
  /** It has come to this stage; in words, those of the debug log. */
  | { readonly kind: 'stage'; readonly stage: string }
  | RunOutcome;

export type RunOutcome = Converted | Failed;

export interface Converted {
  readonly kind: 'converted';
  readonly job: string;
  /** By which the output can be had, by the same account, for a while. */
  readonly output: string;
  /** Media type. */
  readonly type: string;
  /** A good name for the file. */
  readonly name: string;
  readonly bytes: number;
  readonly pages?: number;
  readonly totalPages?: number;
  readonly credits: number;
  readonly took: number;
  readonly stages: Readonly<Record<string, number>>;
}

export interface Failed extends Refusal {
  readonly kind: 'failed';
  readonly job: string | null;
  readonly took: number;
}
