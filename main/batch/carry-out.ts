/** One order of a batch: its form, its conversion, its file, its debug log, and the report of all that. */
import { open, stat, writeFile } from 'node:fs/promises';
import { convertForm, type ConversionParts, type Made, type Order } from '../conversion/convert-form.ts';
import type { Received } from '../conversion/received.ts';
import { reportFailure } from '../conversion/report-failure.ts';
import { Failure, toFailure } from '../failure/failure.ts';
import { whyUnusable } from '../failure/no-room.ts';
import { newJobId } from '../job/job-id.ts';
import type { BatchOrder, BatchReport, OrderedFile } from '../launch/batch-messages.ts';
import type { DebugLog } from '../log/debug-log.ts';
import type { DebugLogs } from '../log/debug-logs.ts';
import { debugLogPage } from '../log/page/debug-log-page.ts';
import { aboutJob } from '../log/service-log.ts';

export interface OrderParts extends ConversionParts {
  readonly read: DebugLogs['read'];
  readonly tell: (report: BatchReport) => void;
}

/** Whose jobs they are, where nobody has an account. */
const account = { id: 0, name: 'convert', operator: false, debugLog: false };

/** Never rejects. Nothing is told of what was stopped. */
export async function carryOut(order: BatchOrder, parts: OrderParts): Promise<void> {
  const began = performance.now();
  const { number } = order;
  const job: Job = { id: newJobId(), order };
  try {
    const facts = await convertForm(orderOf(job), parts);
    await writeDebugLog(job, parts);
    if (facts !== undefined) parts.tell({ kind: 'converted', number, took: since(began), ...facts });
  } catch (problem) {
    await writeDebugLog(job, parts);
    if (!parts.shutdown.aborted) parts.tell({ number, took: since(began), ...failed(job, problem, parts) });
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
    ...{ id, account, gone: new AbortController().signal, explained: order.debugLog !== undefined },
    receive: () => receive(order),
    announce: ({ log }) => void Object.assign(job, { log }),
    deliver: (made) => deliver(made, order.output),
  };
}

/** Files are read where they are: they are the caller's own. */
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
  const why = code === 'ENOENT' ? 'it is not there any more' : whyUnusable(cause as NodeJS.ErrnoException);
  return new Failure('notHtml', `The file '${filename}' cannot be read: ${why}.`, { cause });
}

async function deliver({ output, entry, log }: Made, path: string): Promise<Facts> {
  await fill(path, output.bytes);
  await entry.charge(log.durations, () => {});
  const pages = output.pages && { pages: output.pages.printed };
  return { bytes: output.bytes.length, ...pages, stages: log.durations };
}

/** A file that is gone is nobody's output any more; what an earlier try has left in it goes. */
async function fill(path: string, bytes: Buffer): Promise<void> {
  await using file = await open(path, 'r+');
  await file.truncate();
  await file.writeFile(bytes);
}

function failed({ id, log }: Job, problem: unknown, parts: OrderParts) {
  const failure = toFailure(problem);
  const masked = (text: string) => log?.masked(text) ?? text;
  reportFailure(failure, aboutJob(parts.log, { job: id, account: account.name, tag: undefined }), masked);
  const { status, reason, message, retryAfter } = failure;
  const again = retryAfter === undefined ? {} : { retryAfter };
  return { kind: 'failed', status, reason, message: masked(message), ...again } as const;
}

/** A log that cannot be written costs the log, never the job. */
async function writeDebugLog({ log, order: { debugLog } }: Job, { read, log: told }: OrderParts) {
  const events = log?.id === undefined ? undefined : await read(log.id);
  if (debugLog === undefined || events === undefined) return;
  await writeFile(debugLog, debugLogPage(events)).catch((err: unknown) => {
    told.error({ err }, 'a debug log could not be written');
  });
}

function since(began: number): number {
  return Math.round(performance.now() - began);
}
