/**
 * The table of console calls, which a browser makes over HTTP and the desktop window over IPC. `renderer/` imports its types from
 * here. Durations are in milliseconds, points in time in milliseconds since 1970, sizes in bytes.
 */
import * as z from 'zod';
import type { AccountFacts, KeyFacts } from '../accounts/account.ts';
import type { BatchProgress } from '../accounts/store/batch-records.ts';
import type { JobState } from '../accounts/store/job-records.ts';
import type { JobOutcome } from '../accounts/store/tables.ts';
import type { LogEvent, Versions } from '../log/events.ts';
import type { Finding } from '../log/findings/finding.ts';
import type { JobSummary } from '../log/job-summary.ts';
import type { SettingView } from '../settings/setting-view.ts';

export type { SettingView };

const name = z.string().min(1).max(200);
/** The ids of jobs; those of the outputs of runs are longer. */
export const jobIdPattern = /^[0-9a-z]{26}$/;
const jobId = z.string().regex(jobIdPattern, 'the id of a job');
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

/** Who may make a call: every account for its own data, or only operators. */
type CallRight = 'everybody' | 'operator';

/** Each call with the accounts that may make it and the schema of its input. */
export const calls = {
  state: { right: 'everybody', input: z.strictObject({}) },
  jobs: {
    right: 'everybody',
    input: z.strictObject({
      limit: z.int().min(1).max(500).default(50),
      /** Only jobs older than this one. */
      before: jobId.optional(),
      account: name.optional(),
      /** `under way`: running. */
      outcome: z
        .enum(['converted', 'failed', 'caller gone', 'interrupted', 'canceled', 'queued', 'under way'])
        .optional(),
      /** Only jobs whose tag, id or message contains this text, in any case. */
      text: z.string().max(200).optional(),
    }),
  },
  job: { right: 'everybody', input: z.strictObject({ id: jobId }) },
  /** Cancels an asynchronous job that waits or runs. */
  cancelJob: { right: 'everybody', input: z.strictObject({ id: jobId }) },
  log: { right: 'everybody', input: z.strictObject({ job: jobId }) },
  pause: { right: 'operator', input: z.strictObject({}) },
  resume: { right: 'operator', input: z.strictObject({}) },
  restart: { right: 'operator', input: z.strictObject({}) },
  selfTest: { right: 'operator', input: z.strictObject({}) },
  settings: { right: 'operator', input: z.strictObject({}) },
  /** `values` are strings as an operator writes them; null resets a setting to its default. */
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
  nodes: { right: 'operator', input: z.strictObject({}) },
  drainNode: { right: 'operator', input: z.strictObject({ name, isDraining: z.boolean() }) },
} as const satisfies Record<string, { readonly right: CallRight; readonly input: z.ZodType }>;

export type CallName = keyof typeof calls;

/** The input as a caller sends it. Fields with defaults are optional. */
export type InputOf<N extends CallName> = z.input<(typeof calls)[N]['input']>;

/** The input after validation, with defaults filled in. */
export type ParsedInputOf<N extends CallName> = z.output<(typeof calls)[N]['input']>;

export interface CallResults {
  readonly state: ConsoleState;
  readonly jobs: JobListView;
  readonly job: JobView;
  readonly cancelJob: JobView;
  readonly log: DebugLogView;
  readonly pause: ConsoleState;
  readonly resume: ConsoleState;
  /** The restart has begun. The restarted service has the same address. */
  readonly restart: null;
  readonly selfTest: SelfTestReport;
  readonly settings: SettingsView;
  readonly changeSettings: SettingsView;
  readonly accounts: readonly AccountFacts[];
  /** `key` is shown only this once. */
  readonly addAccount: { readonly key: string };
  readonly changeAccount: null;
  readonly removeAccount: null;
  readonly setCredits: null;
  readonly keys: readonly KeyFacts[];
  readonly addKey: { readonly key: string };
  readonly revokeKey: null;
  /** Sorted by name; empty if the service shares its database with no other node. */
  readonly nodes: readonly NodeView[];
  readonly drainNode: null;
}

/** The reply to a refused call. Over HTTP it is an error response in JSON with this status. */
export interface ConsoleRefusal {
  readonly status: number;
  readonly reason: number;
  readonly message: string;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number;
}

/** The state of a hot folder. `converted` and `failed` count since the service started. */
export interface HotFolderState {
  /** Absolute path. */
  readonly path: string;
  /** Why nothing in the folder is converted at the moment; absent if there is no problem. */
  readonly problem?: string;
  readonly waiting: number;
  readonly converting: number;
  readonly converted: number;
  readonly failed: number;
}

export interface ConsoleState {
  /** `unavailable`: the service cannot take jobs at the moment, for the reason in `why`. */
  readonly status: 'ready' | 'busy' | 'paused' | 'stopping' | 'unavailable';
  readonly why?: string;
  /** Number of jobs in windows. */
  readonly working: number;
  /** Number of jobs that wait for a window. */
  readonly waiting: number;
  readonly windows: number;
  /** The caller's account. */
  readonly account: {
    readonly name: string;
    readonly operator: boolean;
    readonly demo: boolean;
    /** Credits left; absent if unlimited. */
    readonly balance?: number;
  };
  /** The base URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly versions: Versions;
  /** What pages may reach: also private addresses, only public ones, or nothing. */
  readonly network: 'intranet' | 'public' | 'offline';
  /** Maximum size of a request. */
  readonly maxUpload: number;
  /** How long debug logs are kept. */
  readonly debugLogKeepMs: number;
  /** The hot folders in the settings; only for operators. */
  readonly hotFolders?: readonly HotFolderState[];
  /** Whether the service may share its database with other nodes; only for operators. */
  readonly isDatabaseShared?: boolean;
  /** The data folder; only for operators. */
  readonly data?: string;
}

/** A node: a service that shares its database with others. */
export interface NodeView {
  readonly id: string;
  readonly name: string;
  /** The version of Platen. */
  readonly version: string;
  readonly windows: number;
  /** The number of running jobs, at most five seconds ago. */
  readonly running: number;
  /** When the node started. */
  readonly started: number;
  /** Whether this node has answered the call. */
  readonly isThis: boolean;
  /** Whether an operator has asked the node to accept no further jobs. */
  readonly isDraining: boolean;
  /** How long the node has sent no heartbeat; absent while it sends them. */
  readonly silentMs?: number;
  /** Why the node accepts no jobs; absent if it does. */
  readonly problem?: string;
}

export interface JobListView {
  /** Newest first. */
  readonly jobs: readonly JobView[];
  /** Id to pass as `before` for the next page; null on the last page. */
  readonly next: string | null;
}

export interface JobView {
  readonly id: string;
  readonly account: string;
  readonly tag: string | null;
  readonly input: 'url' | 'file' | 'text' | null;
  readonly inputBytes: number | null;
  readonly outputFormat: string | null;
  /** The given options, with secrets masked and contents replaced by their lengths. */
  readonly parameters: Readonly<Record<string, string>> | null;
  /** Null while the job waits or runs. */
  readonly outcome: JobOutcome | null;
  readonly state: JobState;
  /** Whether the job was submitted with POST /jobs. Only such a job can be canceled here. */
  readonly isAsynchronous: boolean;
  /** The file name of an output that is kept, which the bridge returns for the id of the job; null if there is none. */
  readonly outputName: string | null;
  readonly status: number | null;
  readonly reason: number | null;
  readonly message: string | null;
  readonly received: number;
  readonly ended: number | null;
  readonly stages: Readonly<Record<string, number>> | null;
  readonly outputBytes: number | null;
  readonly pages: number | null;
  readonly totalPages: number | null;
  /** Credits charged; of a batch, the sum of its rows. */
  readonly credits: number;
  /** The numbers of rows of a batch; null for other jobs. */
  readonly progress: BatchProgress | null;
  /** Whether the job has a debug log that is still kept. */
  readonly hasDebugLog: boolean;
}

/** A debug log with its summary and findings. */
export interface DebugLogView {
  readonly summary: JobSummary;
  readonly findings: readonly Finding[];
  readonly events: readonly LogEvent[];
  /** Address of the log's HTML page, which opens without credentials. */
  readonly link: string;
}

export interface SettingsView {
  readonly settings: readonly SettingView[];
  /** The file to which changes are written. */
  readonly file: string;
  /** Whether the file differs from the settings in effect, so that a restart would change them. */
  readonly restartNeeded: boolean;
  /** Whether the call `restart` is available. It needs a launcher. */
  readonly restartable: boolean;
  /** Why a start with the current file would fail. `restart` is refused until the file is corrected. */
  readonly problem?: string;
}

export interface SelfTestReport {
  readonly passed: boolean;
  readonly began: number;
  readonly took: number;
  readonly checks: readonly {
    readonly name: string;
    readonly passed: boolean;
    /** Set if the check passed, but `message` names something that needs attention. */
    readonly warning?: true;
    /** The result in one sentence; for a failed check also what to do. */
    readonly message: string;
    readonly took: number;
  }[];
}

/** The events of a run. The last one is `converted` or `failed`. A cancelled run sends no further events. */
export type RunEvent =
  | { readonly kind: 'begun'; readonly job: string }
  /** The run has reached this stage. The names are those in the debug log. */
  | { readonly kind: 'stage'; readonly stage: string }
  | RunOutcome;

type RunOutcome = Converted | Failed;

export interface Converted {
  readonly kind: 'converted';
  readonly job: string;
  /** The id with which the same account can fetch the output for a limited time. */
  readonly output: string;
  /** Media type. */
  readonly type: string;
  /** Suggested file name. */
  readonly name: string;
  readonly bytes: number;
  readonly pages?: number;
  readonly totalPages?: number;
  readonly credits: number;
  readonly took: number;
  readonly stages: Readonly<Record<string, number>>;
}

export interface Failed extends ConsoleRefusal {
  readonly kind: 'failed';
  readonly job: string | null;
  readonly took: number;
}
