/**
 * Runs one job from its form to its end: records and logs the job, converts the document, delivers the output, and charges or
 * releases credits. HTTP, the console and hot folders supply the form and receive the output.
 */
import { join } from 'node:path';
import type { Account } from '../accounts/account.ts';
import type { JobEntry } from '../accounts/ledger/job-entry.ts';
import type { Jobs } from '../accounts/jobs.ts';
import { noCredits } from '../accounts/ledger/credits.ts';
import { convert, type ConversionResult, type ConversionDependencies } from './convert.ts';
import type { Failure } from '../failure/failure.ts';
import { flag } from '../fields/kinds.ts';
import { inlineConfigFile, readJob } from '../job/read-job.ts';
import type { Job, JobFolder } from '../job/job.ts';
import { table, type OptionName } from '../job/options.ts';
import type { Form } from '../job/read-fields.ts';
import type { DebugLog } from '../log/debug-log.ts';
import type { DebugLogs } from '../log/debug-logs.ts';
import type { Versions } from '../log/events.ts';
import type { ServiceLog } from '../log/service-log.ts';
import { linkSignals } from '../async/signals.ts';
import type { Settings } from '../settings/table.ts';
import { beginLog, describeJob, runLogged, runRecorded, type ClosingLogs } from './job-log.ts';
import { openJobFolder } from './job-folder.ts';
import { factsOfForm, secretsOf } from './job-parameters.ts';
import type { ReceivedForm } from './admission.ts';

/** The dependencies of a conversion, created in main/runtime/serve.ts. */
export interface FormDependencies extends ConversionDependencies {
  readonly settings: Pick<Settings, 'alias' | 'job-timeout'>;
  readonly versions: Versions;
  readonly jobs: Pick<Jobs, 'begin'>;
  readonly debugLogs: Pick<DebugLogs, 'open'>;
  readonly closingLogs: Pick<ClosingLogs, 'end'>;
  readonly log: ServiceLog;
  /** Parent folder of the folders of running jobs. */
  readonly workFolder: string;
  /** Aborted when running jobs must end. */
  readonly shutdown: AbortSignal;
  /** Keeps the request of a converted job for the rehearsal of an upgrade, if its account is chosen. Never rejects. */
  readonly keepInput?: (job: Job) => Promise<void>;
}

/** One conversion for an account, with callbacks that read its form and deliver its output. */
export interface FormConversionRequest<T> {
  /** Id of the job. */
  readonly id: string;
  readonly account: Account;
  /** The entry of a job that has been recorded before; absent for a new job. */
  readonly entry?: JobEntry;
  /** Reads the form, up to so many bytes, and stores its files in the folder. Called after the job has been recorded. */
  readonly receive: (folder: JobFolder, maxBytes: number) => Promise<ReceivedForm>;
  /** Aborted with CallerDisconnected when the caller no longer waits for the output. */
  readonly callerDisconnected: AbortSignal;
  /** Returns why the service stopped reading the form, or undefined if the caller disconnected. */
  readonly uploadFailure?: () => Failure | undefined;
  /** Whether a debug log is recorded even if neither the form nor the account requests one. */
  readonly recordsDebugLog?: boolean;
  /** Called when the form has been received, before it is validated. */
  readonly onReceived: (openedLog: OpenedLog) => void;
  /** Called with the job when the form is valid. */
  readonly onValid?: (job: Job) => void;
  /** Delivers and charges the output. @throws CallerDisconnected if the caller disconnected; the job is not charged in that case */
  readonly deliver: (conversion: FinishedConversion) => Promise<T>;
}

export interface OpenedLog {
  /** The job's debug log. */
  readonly log: DebugLog;
  readonly tag: string | undefined;
}

/** A finished conversion that is ready for delivery. */
export interface FinishedConversion extends ConversionResult {
  readonly job: Job;
  readonly entry: Pick<JobEntry, 'charge' | 'refund'>;
  readonly log: DebugLog;
}

/**
 * Converts a form. Returns the result of the delivery, or undefined if the caller disconnected.
 * @throws Failure for every error that a caller may see; tooManyRequests, unauthorized and unavailable before the job is recorded
 */
export async function convertForm<T>(
  request: FormConversionRequest<T>,
  dependencies: FormDependencies,
): Promise<T | undefined> {
  const { id, account } = request;
  await using entry = request.entry ?? (await dependencies.jobs.begin({ id, account, now: Date.now() }));
  return await runRecorded(entry, async (setDebugLog) => {
    await using folder = openJobFolder(join(dependencies.workFolder, id));
    const received = await request.receive(folder, entry.hasCredit ? Infinity : maxUnpaidBytes);
    const openedLog = openLog(request, received.form, dependencies);
    setDebugLog(openedLog.log);
    request.onReceived(openedLog);
    return await convertLogged({ ...openedLog, request, dependencies, entry, folder }, received);
  });
}

/** An account without credits must not fill the disk with uploads. So much of its form is read for the record and the debug log. */
const maxUnpaidBytes = 1_000_000;

function openLog<T>(
  { account, recordsDebugLog = false }: FormConversionRequest<T>,
  form: Form,
  dependencies: FormDependencies,
): OpenedLog {
  const isRecorded = recordsDebugLog || account.debugLog || firstValid(form, 'debug_log', flag.read) === true;
  return {
    log: dependencies.debugLogs.open(isRecorded, account.name),
    tag: firstValid(form, 'tag', table.tag.kind.read),
  };
}

/** Returns an option's first valid value, or undefined. The logs need this value even if the rest of the form is invalid. */
function firstValid<T>(form: Form, option: OptionName, read: (text: string) => T | undefined): T | undefined {
  const values = form.fields.filter(({ name }) => name === option).map(({ value }) => read(value));
  return values.find((value) => value !== undefined);
}

interface LoggedJob<T> extends OpenedLog {
  readonly request: FormConversionRequest<T>;
  readonly dependencies: FormDependencies;
  readonly entry: JobEntry;
  readonly folder: JobFolder;
}

async function convertLogged<T>(loggedJob: LoggedJob<T>, { form, problem }: ReceivedForm): Promise<T> {
  const { log, tag, request, dependencies, entry } = loggedJob;
  const { id, callerDisconnected } = request;
  const names = { id, account: request.account.name, tag };
  return await runLogged(
    { ...names, debugLog: log, log: dependencies.log, closingLogs: dependencies.closingLogs },
    async () => {
      log.hide(secretsOf(form));
      beginLog(log, names, dependencies.versions);
      const facts = factsOfForm(form, (text) => log.masked(text));
      await entry.describe({ ...facts, tag: tag ?? null, debug_log: log.id ?? null });
      if (!entry.hasCredit) throw noCredits();
      if (problem !== undefined)
        throw (
          request.uploadFailure?.() ??
          (callerDisconnected.aborted ? (callerDisconnected.reason as Error) : problem)
        );
      const job: Job = { id, account: names.account, ...(await readForm(form, dependencies)) };
      await describeJob(job, log, isPdfcrowdAlias(dependencies));
      request.onValid?.(job);
      using stopSignal = linkSignals([dependencies.shutdown, callerDisconnected]);
      const run = { job, log, signal: stopSignal.signal, folder: loggedJob.folder };
      const conversion = await convert(run, entry, dependencies);
      const delivered = await request.deliver({ ...conversion, job, entry, log });
      await dependencies.keepInput?.(job);
      return { conversion, delivered };
    },
  );
}

async function readForm(form: Form, { settings }: Pick<FormDependencies, 'settings'>) {
  return readJob(await inlineConfigFile(form), {
    jobTimeoutMs: settings['job-timeout'],
    isPdfcrowdAlias: isPdfcrowdAlias({ settings }),
  });
}

function isPdfcrowdAlias({ settings }: Pick<FormDependencies, 'settings'>): boolean {
  return settings.alias === 'pdfcrowd';
}
