/**
 * Runs one job from its form to its end: records, logs, converts and delivers it, then charges or releases its credits. HTTP, the
 * console and hot folders supply the form and take the output.
 */
import { join } from 'node:path';
import type { Account } from '../accounts/account.ts';
import type { JobEntry } from '../accounts/job-entry.ts';
import type { Jobs } from '../accounts/jobs.ts';
import { convert, type Conversion, type ConversionDependencies } from './convert.ts';
import type { Failure } from '../failure/failure.ts';
import { flag } from '../fields/kinds.ts';
import { inlineConfigFile } from '../job/config-file.ts';
import type { Job } from '../job/job.ts';
import { table, type OptionName } from '../job/options.ts';
import type { Form } from '../job/read-fields.ts';
import { readJob } from '../job/read-job.ts';
import type { DebugLog } from '../log/debug-log.ts';
import type { DebugLogs } from '../log/debug-logs.ts';
import type { Versions } from '../log/events.ts';
import type { ServiceLog } from '../log/service-log.ts';
import { linkSignals } from '../async/signals.ts';
import type { Settings } from '../settings/table.ts';
import { beginLog, describeJob, logged, recorded, type ClosingLogs } from './job-log.ts';
import { factsOfForm } from './job-parameters.ts';
import type { Received } from './admission.ts';
import { secretsOf } from './secrets-of.ts';
import { openWorkspace } from './workspace.ts';

/** What a conversion needs, built in main/runtime/serve.ts. */
export interface ConversionParts extends ConversionDependencies {
  readonly settings: Pick<Settings, 'alias' | 'job-timeout'>;
  readonly versions: Versions;
  readonly jobs: Pick<Jobs, 'begin'>;
  readonly debugLogs: Pick<DebugLogs, 'open'>;
  readonly closingLogs: Pick<ClosingLogs, 'end'>;
  readonly log: ServiceLog;
  /** Parent folder of the folders of running jobs. */
  readonly workFolder: string;
  /** Aborts when running jobs must end. */
  readonly shutdown: AbortSignal;
}

/** One conversion for an account, with callbacks that read its form and deliver its output. */
export interface Order<T> {
  /** Id of the job. */
  readonly id: string;
  readonly account: Account;
  /** Reads the form and stores its files in the folder. Called when the job is in the record. */
  readonly receive: (folder: string) => Promise<Received>;
  /** Aborts with CallerGone when the caller no longer waits for the output. */
  readonly gone: AbortSignal;
  /** Returns why the service stopped reading the form. Undefined when the caller hung up. */
  readonly brokenOff?: () => Failure | undefined;
  /** Records a debug log even if neither the form nor the account asks for one. */
  readonly explained?: boolean;
  /** Called when the form has been received, before it is validated. */
  readonly announce: (begun: Begun) => void;
  /** Called with the job when the form is valid. */
  readonly accept?: (job: Job) => void;
  /** Delivers and charges the output. @throws CallerGone when the caller hung up; nothing is charged then */
  readonly deliver: (made: Made) => Promise<T>;
}

export interface Begun {
  /** The job's debug log. */
  readonly log: DebugLog;
  readonly tag: string | undefined;
}

/** A finished conversion that is ready for delivery. */
export interface Made extends Conversion {
  readonly job: Job;
  readonly entry: Pick<JobEntry, 'charge' | 'refund'>;
  readonly log: DebugLog;
}

/**
 * Returns the result of the delivery, or undefined when the caller hung up.
 * @throws Failure for every error that a caller may see; tooManyRequests, unauthorized and unavailable before the job is recorded
 */
export async function convertForm<T>(order: Order<T>, parts: ConversionParts): Promise<T | undefined> {
  const { id, account } = order;
  await using entry = await parts.jobs.begin({ id, account, now: Date.now() });
  return await recorded(entry, async (setDebugLog) => {
    await using workspace = openWorkspace(join(parts.workFolder, id));
    const received = await order.receive(workspace.folder);
    const begun = openLog(order, received.form, parts);
    setDebugLog(begun.log);
    order.announce(begun);
    return await convertLogged({ ...begun, order, parts, entry, folder: workspace.folder }, received);
  });
}

function openLog<T>({ account, explained = false }: Order<T>, form: Form, parts: ConversionParts): Begun {
  const isRecorded = explained || account.debugLog || firstValid(form, 'debug_log', flag.read) === true;
  return { log: parts.debugLogs.open(isRecorded), tag: firstValid(form, 'tag', table.tag.kind.read) };
}

/** Returns an option's first valid value. The logs need it even if the rest of the form is invalid. */
function firstValid<T>(form: Form, option: OptionName, read: (text: string) => T | undefined): T | undefined {
  const values = form.fields.filter(({ name }) => name === option).map(({ value }) => read(value));
  return values.find((value) => value !== undefined);
}

interface LoggedJob<T> extends Begun {
  readonly order: Order<T>;
  readonly parts: ConversionParts;
  readonly entry: JobEntry;
  /** The job's folder. */
  readonly folder: string;
}

async function convertLogged<T>(loggedJob: LoggedJob<T>, { form, problem }: Received): Promise<T> {
  const { log, tag, order, parts, entry } = loggedJob;
  const { id, gone } = order;
  const names = { id, account: order.account.name, tag };
  return await logged({ ...names, debugLog: log, log: parts.log, closing: parts.closingLogs }, async () => {
    log.hide(secretsOf(form));
    beginLog(log, names, parts.versions);
    const facts = factsOfForm(form, (text) => log.masked(text));
    await entry.describe({ ...facts, tag: tag ?? null, debug_log: log.id ?? null });
    if (problem !== undefined) throw order.brokenOff?.() ?? (gone.aborted ? (gone.reason as Error) : problem);
    const job: Job = { id, account: names.account, ...(await readForm(form, parts)) };
    describeJob(job, log, isTwin(parts));
    order.accept?.(job);
    using stopSignal = linkSignals([parts.shutdown, gone]);
    const run = { job, log, signal: stopSignal.signal, folder: loggedJob.folder };
    const conversion = await convert(run, entry, parts);
    return { conversion, delivered: await order.deliver({ ...conversion, job, entry, log }) };
  });
}

async function readForm(form: Form, { settings }: Pick<ConversionParts, 'settings'>) {
  return readJob(await inlineConfigFile(form), {
    jobTimeout: settings['job-timeout'],
    twin: isTwin({ settings }),
  });
}

function isTwin({ settings }: Pick<ConversionParts, 'settings'>): boolean {
  return settings.alias === 'pdfcrowd';
}
