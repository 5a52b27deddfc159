/**
 * The soak test: starts the service, sends jobs in batches of a hundred, samples the memory after each batch while the service is
 * idle, and checks for leaks at the end.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { basic } from '../support/service/job-record.ts';
import { startService, temporaryFolder, type Service } from '../support/service/service.ts';
import { attackers, openAttack, type SoakAttack } from './attackers.ts';
import { openCrashes } from './crashes.ts';
import { waitUntilIdle } from './service-state.ts';
import { accounts, compareWithRecords, credits, type LedgerComparison, type LedgerEntry } from './ledger.ts';
import { logProblems } from './log-problems.ts';
import { growthProblems, sample, type MemorySample } from './memory.ts';
import { openJobRunner, type JobRunner, type SoakTally } from './job-runner.ts';
import { planOf, type SoakPlanOptions, type PlannedJob } from './plan.ts';
import { openGroup } from './processes.ts';
import { findLeaks, readIdleState, type LeakCheckContext, type IdleState } from './leak-check.ts';
import { openWeb, type Web } from './web.ts';

export interface SoakOptions extends SoakPlanOptions {
  readonly callers: number;
  /** The number of parallel windows. */
  readonly workers: number;
  /** The job timeout in seconds. */
  readonly jobTimeout: number;
  readonly flags?: readonly string[];
  /** Every second crash kills all renderers together. */
  readonly storm?: boolean;
}

export interface Soak {
  readonly options: SoakOptions;
  /** A message for each problem. */
  readonly problems: readonly string[];
  readonly tally: SoakTally;
  /** The number of attackers' requests by the status of the response. */
  readonly attacks: Readonly<Record<string, number>>;
  readonly balance: Pick<LedgerComparison, 'chargedUnread' | 'outcomes'>;
  readonly samples: readonly MemorySample[];
  readonly idleStates: { readonly before: IdleState; readonly after: IdleState };
  readonly seconds: number;
}

/** @throws Error if the service does not start, ends during the run, or does not become idle */
export async function runSoak(options: SoakOptions, print: (line: string) => void): Promise<Soak> {
  const began = performance.now();
  const temporary = join(temporaryFolder(), 'tmp');
  mkdirSync(temporary);
  try {
    await using web = await openWeb();
    await using service = await startService(startOf(options, web, temporary));
    print(`data folder ${service.data}, process ${service.process.pid ?? 0}, ${service.url}`);
    const soak = await runOn(service, { options, web, temporary, print });
    return { ...soak, seconds: (performance.now() - began) / 1000 };
  } finally {
    rmSync(join(temporary, '..'), { recursive: true, force: true });
  }
}

function startOf({ workers, jobTimeout, flags = [] }: SoakOptions, { host }: Web, temporary: string) {
  const balances = [...accounts.map((name) => [name, credits] as const), ...Object.entries(attackers)];
  const holders = balances.map(([name, balance]) => `${name}:key:${balance}`).join();
  return {
    flags: [
      '--accounts',
      holders,
      '--workers',
      String(workers),
      '--job-timeout',
      String(jobTimeout),
      '--network-allow',
      host,
      '--jobs-keep',
      '1000000',
      '--log-level',
      'debug',
      '--log-file',
      'platen.log',
      '--log-file-size',
      '10GB',
      ...flags,
    ],
    environment: { TMPDIR: temporary },
  };
}

interface SoakContext {
  readonly options: SoakOptions;
  readonly web: Web;
  readonly temporary: string;
  readonly print: (line: string) => void;
}

async function runOn(
  service: Service,
  { options, web, temporary, print }: SoakContext,
): Promise<Omit<Soak, 'seconds'>> {
  const group = openGroup(service.process.pid ?? 0);
  const connection = { url: service.url, authorization: basic(accounts[0]) };
  const leakCheck = { service, group, connection, workers: options.workers, temporary };
  const crashes = openCrashes(group, options.jobTimeout);
  const jobRunner = openJobRunner({
    service,
    web,
    crashes,
    seed: options.seed,
    storm: options.storm ?? false,
    print,
  });
  Object.assign(web, { onCrash: crashes.onCrash, markerOf: crashes.markerOf });
  const attack = openAttack(service, web, options.seed);
  const samples: MemorySample[] = [];
  const entries: LedgerEntry[] = [];
  const progress = progressOf(options.jobs, print);
  let before: IdleState | undefined;
  for (const batch of planOf(options)) {
    entries.push(...(await attack.during(runBatch(batch, options.callers, jobRunner))));
    failIfEnded(service);
    samples.push(await sample(group, entries.length, await waitUntilIdle(connection)));
    if (entries.length >= options.jobs / settledShare) before ??= await readIdleState(leakCheck);
    progress(entries.length, samples);
  }
  if (before === undefined) throw new Error('the plan has no jobs');
  return await finishRun({ leakCheck, service, options, web, jobRunner, attack, entries, samples, before });
}

/**
 * After this part of the jobs, the idle service is compared with its state at the end. Chromium keeps some more files open until it has
 * shown each kind of document a few times.
 */
const settledShare = 10;

async function runBatch(
  batch: readonly PlannedJob[],
  callers: number,
  jobRunner: JobRunner,
): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  const left = batch.values();
  const caller = async () => {
    for (const planned of left) entries.push(await jobRunner.run(planned));
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return entries;
}

interface FinishedJobs extends Pick<SoakContext, 'options' | 'web'> {
  readonly leakCheck: LeakCheckContext;
  readonly service: Service;
  readonly jobRunner: JobRunner;
  readonly attack: SoakAttack;
  readonly entries: readonly LedgerEntry[];
  readonly samples: readonly MemorySample[];
  readonly before: IdleState;
}

async function finishRun(end: FinishedJobs): Promise<Omit<Soak, 'seconds'>> {
  const { leakCheck, service, options, web, jobRunner, attack, entries, samples, before } = end;
  const { rest, problems: left } = await findLeaks(leakCheck, before);
  const balance = await compareWithRecords(service.url, entries);
  const { tally } = jobRunner;
  const log = readFileSync(join(service.data, 'platen.log'), 'utf8');
  const code = await service.stop();
  return {
    options,
    tally,
    attacks: attack.statuses,
    balance,
    samples,
    idleStates: { before, after: rest },
    problems: [
      ...tally.problems,
      ...attack.problems,
      ...web.stolen.map((secret) => `ISOLATION: a document of an attacker sent ${secret}`),
      ...left,
      ...balance.problems,
      ...growthProblems(samples),
      ...logProblems(log),
      ...(web.reached() > 0 ? [`pages reached the forbidden server ${web.reached()} times`] : []),
      ...(tally.killed < tally.crashing / 2
        ? [`only ${tally.killed} kills of renderers for ${tally.crashing} jobs`]
        : []),
      ...(code === 0 ? [] : [`the service ended with exit code ${String(code)}`]),
      ...leakCheck.group
        .processes()
        .map(({ pid, kind }) => `${kind} (${pid}) still runs after the service ended`),
    ],
  };
}

const lastLines = 40;

function failIfEnded({ process: { exitCode, signalCode }, log, data }: Service): void {
  if (exitCode === null && signalCode === null) return;
  const lines = readFileSync(join(data, 'platen.log'), 'utf8').trim().split('\n').slice(-lastLines);
  const shown = lines.map((line) => line.slice(0, 400)).join('\n');
  throw new Error(
    `the service ended with ${String(exitCode ?? signalCode)}: ${log().slice(-2000)}\n${shown}`,
  );
}

function progressOf(
  jobs: number,
  print: (line: string) => void,
): (done: number, samples: readonly MemorySample[]) => void {
  const began = performance.now();
  return (done, samples) => {
    if (done % 500 !== 0 && done !== jobs) return;
    const seconds = (performance.now() - began) / 1000;
    const left = (seconds / done) * (jobs - done);
    const memory = Math.round((samples.at(-1)?.total.shared ?? 0) / 1e6);
    print(`${done} jobs in ${Math.round(seconds)} s, about ${Math.round(left)} s to go; ${memory} MB`);
  };
}
