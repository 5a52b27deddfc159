/**
 * Conversions for `platen convert`: converts what the launcher orders as the API would, and reports each result. Uses no accounts
 * and no HTTP.
 */
import { open, stat, writeFile } from 'node:fs/promises';
import { watchClosingLogs } from '../conversion/job-log.ts';
import { convertForm, type ConversionParts, type Made, type Order } from '../conversion/convert-form.ts';
import { openDebugLogs, type DebugLogs } from '../log/debug-logs.ts';
import type { Versions } from '../log/events.ts';
import { aboutJob, type ServiceLog } from '../log/service-log.ts';
import type { BatchOrder, BatchReport, OrderedFile } from '../launch/messages.ts';
import { Converter } from '../converter/converter.ts';
import { debugLogsFolder } from '../settings/data-folder.ts';
import type { LoadedSettings } from '../settings/load.ts';
import type { Received } from '../conversion/admission.ts';
import { reportFailure } from '../conversion/report-failure.ts';
import { Failure, toFailure } from '../failure/failure.ts';
import { fileErrorReason } from '../failure/no-room.ts';
import { newJobId } from '../job/job.ts';
import type { DebugLog } from '../log/debug-log.ts';
import { debugLogPage } from '../log/page/debug-log-page.ts';
import type { JobEntry } from '../accounts/job-entry.ts';

interface BatchOptions {
  readonly settings: LoadedSettings;
  readonly log: ServiceLog;
  readonly versions: Versions;
  /** An empty folder for the files of jobs. */
  readonly workFolder: string;
  /** Ends running conversions and the batch. */
  readonly stopSignal: AbortSignal;
  readonly onUnrecoverable: (sentence: string) => void;
  readonly onOrders: (onOrder: (order: BatchOrder) => void) => void;
  readonly report: (report: BatchReport) => void;
}

/** Resolves after the stop signal, when all parts are closed. */
export async function convertBatch(options: BatchOptions): Promise<void> {
  const { log, versions, workFolder, stopSignal } = options;
  const settings = withBatchQueueTimeout(options.settings);
  using debugLogs = await openDebugLogs(debugLogsFolder(settings.data), settings['debug-log-keep']);
  await using converter = await Converter.open({
    settings,
    log,
    onUnrecoverable: options.onUnrecoverable,
    servicePort: () => undefined,
    prefixes: ['service', ...(settings.alias === undefined ? [] : [settings.alias])],
    metrics: { waited() {}, replaced() {}, canary() {} },
  });
  const parts: ConversionParts = {
    ...converter.parts,
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
  options.onOrders((order) => {
    const work = convertOrder(order, { ...parts, read: debugLogs.read, report: options.report });
    running.add(work);
    void work.finally(() => running.delete(work));
  });
  await aborted(stopSignal);
  await Promise.all(running);
}

/** No HTTP client waits for a batch, so its jobs may wait longer for memory. */
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

// One order: reads its files, converts, writes the output and the debug log, and reports the result.

interface OrderParts extends ConversionParts {
  readonly read: DebugLogs['read'];
  readonly report: (report: BatchReport) => void;
}

/** The account that the logs name. A batch uses no real account. */
const account = { id: 0, name: 'convert', operator: false, debugLog: false };

/** Converts one order and reports the result, except for an order that was stopped. Never rejects. */
async function convertOrder(order: BatchOrder, parts: OrderParts): Promise<void> {
  const startedAt = performance.now();
  const { number } = order;
  const job: Job = { id: newJobId(), order };
  try {
    const facts = await convertForm(orderOf(job), parts);
    await writeDebugLog(job, parts);
    if (facts !== undefined) parts.report({ kind: 'converted', number, took: since(startedAt), ...facts });
  } catch (problem) {
    await writeDebugLog(job, parts);
    if (parts.shutdown.aborted) return;
    parts.report({ number, took: since(startedAt), ...failureReport(job, problem, parts) });
  }
}

interface Job {
  readonly id: string;
  readonly order: BatchOrder;
  log?: DebugLog;
}

type Facts = Pick<Extract<BatchReport, { kind: 'converted' }>, 'bytes' | 'pages' | 'stages'>;

function orderOf(job: Job): Order<Facts> {
  const { id, order } = job;
  return {
    id,
    account,
    gone: new AbortController().signal,
    explained: order.debugLog !== undefined,
    receive: () => receive(order),
    announce: ({ log }) => void Object.assign(job, { log }),
    deliver: (made) => deliver(made, order.output),
  };
}

/** Uses the caller's files in place, without a copy. */
async function receive({ fields, files }: BatchOrder): Promise<Received> {
  try {
    return { form: { fields, files: await Promise.all(files.map(uploaded)) } };
  } catch (problem) {
    return { form: { fields, files: [] }, problem: toFailure(problem) };
  }
}

async function uploaded({ name, path, filename, beside }: OrderedFile) {
  const facts = await stat(path).catch((cause: unknown) => {
    throw unreadable(filename, cause);
  });
  return { name, upload: { path, name: filename, size: facts.size, ...(beside && { beside }) } };
}

function unreadable(filename: string, cause: unknown): Failure {
  const { code } = cause as NodeJS.ErrnoException;
  const why = code === 'ENOENT' ? 'it no longer exists' : fileErrorReason(cause as NodeJS.ErrnoException);
  return new Failure('notHtml', `The file '${filename}' cannot be read: ${why}.`, { cause });
}

async function deliver({ output, entry, log }: Made, path: string): Promise<Facts> {
  await overwrite(path, output.bytes);
  await entry.charge(log.durations, () => {});
  const pages = output.pages && { pages: output.pages.printed };
  return { bytes: output.bytes.length, ...pages, stages: log.durations };
}

/** Replaces the contents of a file. Does not create the file: if it was deleted, the output is no longer wanted. */
async function overwrite(path: string, bytes: Buffer): Promise<void> {
  await using file = await open(path, 'r+');
  await file.truncate();
  await file.writeFile(bytes);
}

function failureReport({ id, log }: Job, problem: unknown, parts: OrderParts) {
  const failure = toFailure(problem);
  const masked = (text: string) => log?.masked(text) ?? text;
  reportFailure(failure, aboutJob(parts.log, { job: id, account: account.name, tag: undefined }), masked);
  const { status, reason, message, retryAfter } = failure;
  return {
    kind: 'failed',
    status,
    reason,
    message: masked(message),
    ...(retryAfter !== undefined && { retryAfter }),
  } as const;
}

/** Writes the debug log that the order asks for. A log that cannot be written never fails the job. */
async function writeDebugLog({ log, order: { debugLog } }: Job, { read, log: serviceLog }: OrderParts) {
  const events = log?.id === undefined ? undefined : await read(log.id);
  if (debugLog === undefined || events === undefined) return;
  await writeFile(debugLog, debugLogPage(events)).catch((err: unknown) => {
    serviceLog.error({ err }, `cannot write the debug log to ${debugLog}`);
  });
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

/** Returns a job entry that reserves, charges and writes nothing. */
function noopEntry(): JobEntry {
  return {
    require() {},
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
