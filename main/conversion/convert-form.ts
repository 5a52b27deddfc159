/**
 * The story of one job from its form to its end: entered into the record, logged, converted, delivered, charged or given back. It
 * knows no door: whoever calls it brings the form and takes the output.
 */
import { join } from 'node:path';
import type { Account } from '../accounts/account.ts';
import type { JobEntry } from '../accounts/job-entry.ts';
import type { Jobs } from '../accounts/jobs.ts';
import { convert, type Conversion, type House } from '../convert.ts';
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
import { linked } from '../signals.ts';
import type { Settings } from '../settings/table.ts';
import type { ClosingLogs } from './closing-logs.ts';
import { beginLog, describeJob, logged, recorded } from './job-log.ts';
import { factsOfForm } from './job-parameters.ts';
import type { Received } from './received.ts';
import { secretsOf } from './secrets-of.ts';
import { openWorkspace } from './workspace.ts';

/** What converting takes; built in main/index.ts. */
export interface ConversionParts extends House {
  readonly settings: Pick<Settings, 'alias' | 'job-timeout'>;
  readonly versions: Versions;
  readonly jobs: Pick<Jobs, 'begin'>;
  readonly debugLogs: Pick<DebugLogs, 'open'>;
  readonly closingLogs: Pick<ClosingLogs, 'end'>;
  readonly log: ServiceLog;
  /** Folder for the uploads of jobs under way. */
  readonly workFolder: string;
  /** Aborts when running jobs must end. */
  readonly shutdown: AbortSignal;
}

/** Who wants a conversion, how the form is had, and where the output goes. */
export interface Order<T> {
  /** The job's. */
  readonly id: string;
  readonly account: Account;
  /** Reads the form, its files into the folder; called once the job is in the record. */
  readonly receive: (folder: string) => Promise<Received>;
  /** Aborts, with CallerGone, when nobody waits for the output any more. */
  readonly gone: AbortSignal;
  /** Why the form was broken off, where the caller was told and did not leave himself. */
  readonly brokenOff?: () => Failure | undefined;
  /** Records the debug log, asked for or not. */
  readonly explained?: boolean;
  /** Called when the form has come and before it is looked at. */
  readonly announce: (begun: Begun) => void;
  /** Called when it is sound, with what will be converted. */
  readonly accept?: (job: Job) => void;
  /** Hands the output over and charges it. @throws CallerGone when nobody was there to take it; nothing is charged then */
  readonly deliver: (made: Made) => Promise<T>;
}

export interface Begun {
  /** The job's own. */
  readonly log: DebugLog;
  readonly tag: string | undefined;
}

/** What has been made, to be delivered. */
export interface Made extends Conversion {
  readonly job: Job;
  readonly entry: Pick<JobEntry, 'charge' | 'refund'>;
  readonly log: DebugLog;
}

/**
 * What the delivery gave; undefined when the caller was gone.
 * @throws Failure for everything a caller may be told, and before there is a job Failure tooManyRequests, unauthorized, unavailable
 */
export async function convertForm<T>(order: Order<T>, parts: ConversionParts): Promise<T | undefined> {
  const { id, account } = order;
  await using entry = await parts.jobs.begin({ id, account, now: Date.now() });
  return await recorded(entry, async (tell) => {
    await using workspace = openWorkspace(join(parts.workFolder, id));
    const received = await order.receive(workspace.folder);
    const begun = openLog(order, received.form, parts);
    tell(begun.log);
    order.announce(begun);
    return await tellStory({ ...begun, order, parts, entry, folder: workspace.folder }, received);
  });
}

function openLog<T>({ account, explained = false }: Order<T>, form: Form, parts: ConversionParts): Begun {
  const wanted = explained || account.debugLog || said(form, 'debug_log', flag.read) === true;
  return { log: parts.debugLogs.open(wanted), tag: said(form, 'tag', table.tag.kind.read) };
}

/** What the logs need of a form that may turn out to be wrong elsewhere. */
function said<T>(form: Form, option: OptionName, read: (text: string) => T | undefined): T | undefined {
  const values = form.fields.filter(({ name }) => name === option).map(({ value }) => read(value));
  return values.find((value) => value !== undefined);
}

interface Story<T> extends Begun {
  readonly order: Order<T>;
  readonly parts: ConversionParts;
  readonly entry: JobEntry;
  /** The job's own. */
  readonly folder: string;
}

async function tellStory<T>(story: Story<T>, { form, problem }: Received): Promise<T> {
  const { log, tag, order, parts, entry } = story;
  const { id, gone } = order;
  const names = { id, account: order.account.name, tag };
  return await logged({ ...names, own: log, log: parts.log, closing: parts.closingLogs }, async () => {
    log.hide(secretsOf(form));
    beginLog(log, names, parts.versions);
    const facts = factsOfForm(form, (text) => log.masked(text));
    await entry.describe({ ...facts, tag: tag ?? null, debug_log: log.id ?? null });
    if (problem !== undefined) throw order.brokenOff?.() ?? (gone.aborted ? (gone.reason as Error) : problem);
    const job: Job = { id, account: names.account, ...(await readForm(form, parts)) };
    describeJob(job, log, isTwin(parts));
    order.accept?.(job);
    using ending = linked([parts.shutdown, gone]);
    const run = { job, log, signal: ending.signal, folder: story.folder };
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
