/**
 * Converts the requests of `platen convert` like requests to the API, and reports the results to the launcher. Uses no accounts and
 * no HTTP.
 */
import { open, stat, writeFile } from 'node:fs/promises';
import { watchClosingLogs, reportJobFailure } from '../conversion/job-log.ts';
import {
  convertForm,
  type FormDependencies,
  type FinishedConversion,
  type FormConversionRequest,
} from '../conversion/convert-form.ts';
import { openDebugLogs, type DebugLogs } from '../log/debug-logs.ts';
import type { Versions } from '../log/events.ts';
import type { ServiceLog } from '../log/service-log.ts';
import { noteFactsOf } from '../conversion/note-facts.ts';
import type { BatchRequest, BatchReport, RequestFile } from '../launch/messages.ts';
import { Converter } from '../converter/converter.ts';
import { debugLogsFolder } from '../settings/data-folder.ts';
import type { LoadedSettings } from '../settings/load.ts';
import type { ReceivedForm } from '../conversion/admission.ts';
import { Failure, fileErrorReason, toFailure } from '../failure/failure.ts';
import { newJobId } from '../job/job.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { debugLogPage } from '../log/log-page.ts';
import type { JobEntry } from '../accounts/ledger/job-entry.ts';

interface BatchOptions {
  readonly settings: LoadedSettings;
  readonly log: ServiceLog;
  readonly versions: Versions;
  /** An empty folder for the files of jobs. */
  readonly workFolder: string;
  /** Aborts to end running conversions and the batch. */
  readonly stopSignal: AbortSignal;
  readonly onUnrecoverable: (reason: string) => void;
  readonly onRequests: (onRequest: (request: BatchRequest) => void) => void;
  readonly report: (report: BatchReport) => void;
}

/** Converts requests until the stop signal. Resolves when the running conversions have ended and the converter is closed. */
export async function convertBatch(options: BatchOptions): Promise<void> {
  const { log, versions, workFolder, stopSignal } = options;
  const settings = withBatchQueueTimeout(options.settings);
  await using debugLogs = await openDebugLogs(debugLogsFolder(settings.data), settings['debug-log-keep']);
  await using converter = await Converter.open({
    settings,
    log,
    onUnrecoverable: options.onUnrecoverable,
    servicePort: () => undefined,
    prefixes: ['service', ...(settings.alias === undefined ? [] : [settings.alias])],
    metrics: { waited() {}, replaced() {}, canary() {} },
  });
  const dependencies: FormDependencies = {
    ...converter.conversionDependencies,
    settings,
    versions,
    debugLogs,
    log,
    workFolder,
    shutdown: stopSignal,
    closingLogs: watchClosingLogs(),
    jobs: { begin: () => Promise.resolve(noopEntry()) },
  };
  const running = new Set<Promise<void>>();
  options.onRequests((request) => {
    const work = convertRequest(request, {
      ...dependencies,
      readDebugLog: (id) => debugLogs.read(id),
      report: options.report,
    });
    running.add(work);
    void work.finally(() => running.delete(work));
  });
  await aborted(stopSignal);
  await Promise.all(running);
}

/** No HTTP client waits for a batch, so its jobs may wait longer in the queue. */
const minQueueTimeoutMs = 600_000;

function withBatchQueueTimeout(settings: LoadedSettings): LoadedSettings {
  return { ...settings, 'queue-timeout': Math.max(minQueueTimeoutMs, settings['queue-timeout']) };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener('abort', () => {
        resolve();
      });
  });
}

// One request: reads its files, converts them, writes the output and the debug log, and reports the result.

interface RequestDependencies extends FormDependencies {
  readonly readDebugLog: DebugLogs['read'];
  readonly report: (report: BatchReport) => void;
}

/** The account shown in log lines. A batch uses no real account. */
const account = { id: 0, name: 'convert', operator: false, debugLog: false };

/** Converts one request and reports the result, unless the stop signal ended the job. Never rejects. */
async function convertRequest(request: BatchRequest, dependencies: RequestDependencies): Promise<void> {
  const startedAt = performance.now();
  const { id } = request;
  const job: BatchJob = { id: newJobId(), request };
  try {
    const facts = await convertForm(conversionOf(job), dependencies);
    await writeDebugLog(job, dependencies);
    if (facts !== undefined)
      dependencies.report({ kind: 'converted', number: id, took: elapsedMs(startedAt), ...facts });
  } catch (problem) {
    await writeDebugLog(job, dependencies);
    if (dependencies.shutdown.aborted) return;
    dependencies.report({
      number: id,
      took: elapsedMs(startedAt),
      ...failureReport(job, problem, dependencies),
    });
  }
}

interface BatchJob {
  readonly id: string;
  readonly request: BatchRequest;
  log?: DebugLog;
}

type OutputSummary = Pick<
  Extract<BatchReport, { kind: 'converted' }>,
  'bytes' | 'pages' | 'stages' | 'noteCodes'
>;

function conversionOf(job: BatchJob): FormConversionRequest<OutputSummary> {
  const { id, request } = job;
  return {
    id,
    account,
    callerDisconnected: new AbortController().signal,
    recordsDebugLog: request.debugLog !== undefined,
    receive: () => receive(request),
    onReceived: ({ log }) => void Object.assign(job, { log }),
    deliver: (conversion) => deliver(conversion, request.output),
  };
}

/** Builds the form. The files of `platen convert` are used in place, without a copy. */
async function receive({ fields, files }: BatchRequest): Promise<ReceivedForm> {
  try {
    return { form: { fields, files: await Promise.all(files.map(uploadOf)) } };
  } catch (problem) {
    return { form: { fields, files: [] }, problem: toFailure(problem) };
  }
}

async function uploadOf({ name, path, filename, siblingFolder }: RequestFile) {
  const stats = await stat(path).catch((cause: unknown) => {
    throw unreadable(filename, cause);
  });
  return {
    name,
    upload: { path, name: filename, size: stats.size, ...(siblingFolder && { siblingFolder }) },
  };
}

function unreadable(filename: string, cause: unknown): Failure {
  const { code } = cause as NodeJS.ErrnoException;
  const why = code === 'ENOENT' ? 'it no longer exists' : fileErrorReason(cause as NodeJS.ErrnoException);
  return new Failure('notHtml', `The file '${filename}' cannot be read: ${why}.`, { cause });
}

async function deliver({ output, entry, log }: FinishedConversion, path: string): Promise<OutputSummary> {
  await overwrite(path, output.bytes);
  await entry.charge(log.durations, () => {});
  const pages = output.pages && { pages: output.pages.printed };
  const { noteCodes } = noteFactsOf(log);
  return { bytes: output.bytes.length, ...pages, stages: log.durations, noteCodes };
}

/** Replaces the content of a file. Does not create the file: if it was deleted, the output is no longer needed. */
async function overwrite(path: string, bytes: Buffer): Promise<void> {
  await using file = await open(path, 'r+');
  await file.truncate();
  await file.writeFile(bytes);
}

function failureReport({ id, log }: BatchJob, problem: unknown, dependencies: RequestDependencies) {
  const failure = toFailure(problem);
  reportJobFailure(failure, dependencies.log, {
    id,
    account: account.name,
    tag: undefined,
    debugLog: log,
  });
  const { status, reason, message, retryAfter } = failure;
  return {
    kind: 'failed',
    status,
    reason,
    message: log?.masked(message) ?? message,
    ...(retryAfter !== undefined && { retryAfter }),
  } as const;
}

/** Writes the debug log if the request names a file for it. A failed write is logged and does not fail the job. */
async function writeDebugLog(
  { log, request: { debugLog } }: BatchJob,
  { readDebugLog, log: serviceLog }: RequestDependencies,
) {
  const events = log?.id === undefined ? undefined : await readDebugLog(log.id);
  if (debugLog === undefined || events === undefined) return;
  await writeFile(debugLog, debugLogPage(events)).catch((err: unknown) => {
    serviceLog.error({ err }, `cannot write the debug log to ${debugLog}`);
  });
}

function elapsedMs(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

/** Returns a job entry that reserves, charges and writes nothing. */
function noopEntry(): JobEntry {
  return {
    hasCredit: true,
    hold: (price) => Promise.resolve({ consumed: price }),
    describe: async () => {},
    charge(_stages, acknowledge) {
      acknowledge();
      return Promise.resolve();
    },
    fail: async () => {},
    refund: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
