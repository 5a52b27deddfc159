/** Writes the progress and the end of a job to the record of jobs, the service log and the job's debug log. */
import { EventEmitter, once } from 'node:events';
import type { JobEnd, JobEntry } from '../accounts/ledger/job-entry.ts';
import type { ConversionResult } from './convert.ts';
import { toFailure, type Failure } from '../failure/failure.ts';
import { sha256Of } from '../async/sha256.ts';
import { sha256OfFile } from '../input/bytes.ts';
import type { Job, RawValue } from '../job/job.ts';
import { DebugLog } from '../log/debug-log.ts';
import type { Versions, OptionsEvent, RequestValue } from '../log/events.ts';
import { noteFactsOf } from './note-facts.ts';
import { counted } from '../log/findings/phrases.ts';
import { withJobFields, type ServiceLog } from '../log/service-log.ts';
import { mask, withoutCredentials, mapTexts } from '../log/masking.ts';
import { optionNames, table, type OptionRow } from '../job/options.ts';
import { isStoredText } from '../job/option-kinds.ts';
import pino from 'pino';

interface LoggedWork {
  readonly id: string;
  readonly account: string;
  readonly tag: string | undefined;
  readonly debugLog: DebugLog;
  readonly log: ServiceLog;
  readonly closingLogs: Pick<ClosingLogs, 'end'>;
}

/** A conversion, and the result of its delivery. */
interface Delivered<T> {
  readonly conversion: ConversionResult;
  readonly delivered: T;
}

/** Runs `work` and writes the outcome to the service log and the debug log. Returns `delivered`. @throws the errors of `work` */
export async function runLogged<T>(
  { id, account, tag, debugLog, log, closingLogs }: LoggedWork,
  work: () => Promise<Delivered<T>>,
): Promise<T> {
  const began = performance.now();
  const serviceLog = withJobFields(log, { job: id, account, tag });
  serviceLog.debug('received');
  try {
    const { conversion, delivered } = await work();
    await endAsConverted(debugLog, conversion);
    const ms = Math.round(performance.now() - began);
    const { noteCodes } = noteFactsOf(debugLog);
    const notes = noteCodes.length > 0 && { notes: noteCodes };
    serviceLog.info({ ...outputFacts(conversion), ms, ...notes, stages: debugLog.durations }, 'converted');
    return delivered;
  } catch (problem) {
    if (problem instanceof CallerDisconnected)
      serviceLog.info({ stage: debugLog.stage, why: problem.message }, 'the caller disconnected');
    await endAsFailed(debugLog, problem);
    throw problem;
  } finally {
    closingLogs.end(debugLog.id);
  }
}

async function endAsConverted(debugLog: DebugLog, { output }: ConversionResult): Promise<void> {
  const { bytes, contentType, pages } = output;
  const facts = { bytes: bytes.length, ...(pages && { pages: pages.printed }) };
  const digest = debugLog.isRecorded && { contentType, sha256: await sha256Of(bytes) };
  await debugLog.end('converted', { outcome: 'converted', ...facts, ...digest });
}

async function endAsFailed(debugLog: DebugLog, problem: unknown): Promise<void> {
  const gone = problem instanceof CallerDisconnected;
  const { message, status, reason } = toFailure(problem);
  debugLog.write({
    kind: 'failure',
    text: gone ? problem.message : message,
    detail: { ...(!gone && { status, reason }), stage: debugLog.stage },
  });
  await debugLog.end('failed', { outcome: gone ? 'caller gone' : 'failed' });
}

/**
 * Runs `work` and records a failure with the status and message that the caller receives. Returns undefined if the caller
 * disconnected. `work` passes the job's debug log to `setDebugLog` as soon as that log is open.
 */
export async function runRecorded<T>(
  entry: Pick<JobEntry, 'fail'>,
  work: (setDebugLog: (debugLog: DebugLog) => void) => Promise<T>,
): Promise<T | undefined> {
  let debugLog: DebugLog | undefined;
  try {
    return await work((log) => (debugLog = log));
  } catch (problem) {
    await entry.fail(jobEndOf(problem, debugLog));
    if (!(problem instanceof CallerDisconnected)) throw problem;
    return undefined;
  }
}

/** Returns the end of a failed job for the record. `debugLog` is absent if the job failed before its debug log was opened. */
function jobEndOf(problem: unknown, debugLog = new DebugLog()): JobEnd {
  const { message, status, reason } = toFailure(problem);
  const stages = debugLog.durations;
  if (problem instanceof CallerDisconnected)
    return { outcome: 'caller gone', status: null, reason: null, message: null, stages };
  const text = debugLog.masked(message);
  const shortened = text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}...` : text;
  return { outcome: 'failed', status, reason, message: shortened, stages };
}

/** Maximum length of the message in the record of a job, which contains many thousands of jobs. The caller receives the whole message. */
const maxMessageLength = 4000;

function outputFacts({ output, receipt }: ConversionResult): object {
  return { bytes: output.bytes.length, pages: output.pages?.printed, credits: receipt.consumed };
}

/** Writes the first event of the job's debug log. */
export function beginLog(
  log: DebugLog,
  { id, account, tag }: Pick<LoggedWork, 'id' | 'account' | 'tag'>,
  versions: Versions,
): void {
  const received = new Date().toISOString();
  log.write({
    kind: 'job',
    text: id,
    detail: { account, ...(tag !== undefined && { tag }), received, versions },
  });
}

/** Writes the options and the notes about the request to the job's debug log. */
export async function describeJob(job: Job, log: DebugLog, isPdfcrowdAlias: boolean): Promise<void> {
  if (log.isRecorded) await writeOptions(job, log, isPdfcrowdAlias);
  for (const { text, code, options } of job.notes) log.note(text, { code, options });
}

async function writeOptions(job: Job, log: DebugLog, isPdfcrowdAlias: boolean): Promise<void> {
  const text = `${counted(job.rawValues.size, 'option')} given, the others at their defaults`;
  const options = shownOptions(job, isPdfcrowdAlias);
  const values = await requestValues(job);
  log.write({ kind: 'options', text, detail: { input: job.input.kind, options, values } });
}

// Debug logs whose last event has not been written yet. The outcome of a job is known only after the last byte of the response is
// sent. A reader that opens the log at that moment must receive the complete log.

export interface ClosingLogs {
  /** Called when the last byte of the job's response is sent. */
  readonly begin: (id: string | undefined) => void;
  /** Called when the last event of the log has been written. */
  readonly end: (id: string | undefined) => void;
  /** Resolves when the log is complete, at the latest after one second. */
  readonly closed: (id: string) => Promise<void>;
}

/** How long a reader waits for the last event. */
const closeTimeoutMs = 1000;

export function watchClosingLogs(): ClosingLogs {
  const closing = new Set<string>();
  const ends = new EventEmitter().setMaxListeners(0);
  return {
    begin(id) {
      if (id !== undefined) closing.add(id);
    },
    end(id) {
      if (id !== undefined && closing.delete(id)) ends.emit(id);
    },
    async closed(id) {
      if (closing.has(id))
        await once(ends, id, { signal: AbortSignal.timeout(closeTimeoutMs) }).catch(() => {});
    },
  };
}

// The options of a job as shown in its logs and its record, without secrets and contents.

type ShownOption = OptionsEvent['detail']['options'][number];
type OmitName<Value> = Value extends unknown ? Omit<Value, 'name'> : never;

/** Maximum number of characters of a value that are shown. */
const maxShownLength = 2000;

/** Returns an option's value for logs: masks secrets, and replaces contents with their length and files with name and size. */
function shownValue(row: OptionRow, value: RawValue): string {
  if (row.secret === true) return mask;
  if (isStoredText(value)) return `(${counted(value.characters, 'character')})`;
  if (typeof value !== 'string') return `${value.name} (${counted(value.size, 'byte')})`;
  if (row.content === true) return `(${counted(value.length, 'character')})`;
  return withoutCredentials(value.length > maxShownLength ? `${value.slice(0, maxShownLength)}...` : value);
}

/** Returns the values of the request in order, with the digests of contents and files. @throws Error if a file cannot be read */
async function requestValues({ rawValues }: Job): Promise<RequestValue[]> {
  const values: RequestValue[] = [];
  for (const [name, sent] of rawValues)
    for (const value of sent) values.push({ name, ...(await requestValue(table[name], value)) });
  return values;
}

async function requestValue(row: OptionRow, value: RawValue): Promise<OmitName<RequestValue>> {
  if (row.secret === true) return { hidden: true };
  if (typeof value !== 'string') {
    const sha256 = await sha256OfFile(value.path);
    return { ...(!isStoredText(value) && { file: value.name }), bytes: value.size, sha256 };
  }
  if (row.content === true || value.length > maxShownLength) {
    const bytes = Buffer.from(value, 'utf8');
    return { bytes: bytes.length, sha256: await sha256Of(bytes) };
  }
  return value === withoutCredentials(value) ? { value } : { hidden: true };
}

/** Returns the values of an option for logs, separated by commas. */
export function shownValues(row: OptionRow, values: readonly RawValue[]): string {
  return values.map((value) => shownValue(row, value)).join(', ');
}

/** Returns all options in effect: the given options, then the defaults (those of Pdfcrowd 24.04 with `isPdfcrowdAlias`). */
export function shownOptions({ rawValues }: Pick<Job, 'rawValues'>, isPdfcrowdAlias: boolean): ShownOption[] {
  const givenOptions = [...rawValues].map(([name, values]) => ({
    name,
    value: shownValues(table[name], values),
    from: 'request' as const,
  }));
  const absent = optionNames.flatMap((name): ShownOption[] => {
    const row: OptionRow = table[name];
    const [value, from] =
      isPdfcrowdAlias && row.pdfcrowdDefault !== undefined
        ? ([row.pdfcrowdDefault, 'alias'] as const)
        : ([row.default, 'default'] as const);
    return value === undefined || rawValues.has(name) ? [] : [{ name, value, from }];
  });
  return [...givenOptions, ...absent];
}

/** Logs a failure. `masked` returns a string with the job's secrets masked. */
export function reportFailure(failure: Failure, log: ServiceLog, masked: (text: string) => string): void {
  const { status, reason, message } = failure;
  const cause = mapTexts(serialized(failure.cause), masked);
  const facts = { status, reason, ...(cause !== undefined && { cause }) };
  // A full queue is not a fault of the service. Such a failure has no cause.
  const isFault = status >= 500 && !(failure.kind === 'unavailable' && cause === undefined);
  if (isFault) log.error({ ...facts, err: cause }, masked(message));
  else log.info(facts, masked(message));
}

interface FailedJob {
  readonly id: string;
  readonly account: string;
  readonly tag: string | undefined;
  /** Absent if the job failed before its debug log was opened. */
  readonly debugLog: DebugLog | undefined;
}

/** Logs the failure of a job that has no HTTP request, with the job's secrets masked. */
export function reportJobFailure(
  failure: Failure,
  log: ServiceLog,
  { id, account, tag, debugLog }: FailedJob,
): void {
  const jobLog = withJobFields(log, { job: id, account, tag });
  reportFailure(failure, jobLog, (text) => debugLog?.masked(text) ?? text);
}

/** Returns an Error as plain data, as the service log writes it; any other value unchanged. */
function serialized(thrown: unknown): unknown {
  return thrown instanceof Error ? pino.stdSerializers.err(thrown) : thrown;
}

/** The reason for ending a job whose caller disconnected. The message appears only in logs. */
export class CallerDisconnected extends Error {
  constructor(message = 'The caller disconnected.') {
    super(message);
  }
}
