/** `npm run soak [-- --jobs 10000 --callers 6 --seed 1]`: runs the long soak test, and prints a memory table and the problems. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { project } from '../support/service/service.ts';
import { table, trendOf } from './memory.ts';
import { usualMix, type Mix } from './plan.ts';
import { runSoak, type Soak, type SoakOptions } from './run-soak.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    jobs: text,
    callers: text,
    seed: text,
    workers: text,
    json: text,
    only: text,
    flags: text,
    mix: text,
    'job-timeout': text,
    storm: { type: 'boolean', default: false },
  },
});

const options: SoakOptions = {
  jobs: numberOf(values.jobs, 10_000),
  callers: numberOf(values.callers, 6),
  seed: numberOf(values.seed, Date.now() % 1_000_000_000),
  workers: numberOf(values.workers, Math.min(64, availableParallelism())),
  jobTimeout: numberOf(values['job-timeout'], 5),
  mix: mixOf(values.mix),
  storm: values.storm,
  ...(values.only !== undefined && { only: values.only.split(',') }),
  ...(values.flags !== undefined && { flags: values.flags.split(' ') }),
};
const json = values.json ?? join(project, '.build', 'soak.json');

// process.exit also ends the service (test/support/service/service.ts).
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

say(`soak: ${options.jobs} jobs, ${options.callers} callers, --seed ${options.seed}`);
runSoak(options, say).then(conclude, (problem: unknown) => {
  say(`soak: ${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}`);
  process.exit(1);
});

function conclude(soak: Soak): void {
  mkdirSync(dirname(json), { recursive: true });
  writeFileSync(json, JSON.stringify({ ...soak, trend: trend(soak) }, undefined, 1));
  for (const line of describe(soak)) say(line);
  for (const problem of soak.problems) say(`PROBLEM: ${problem}`);
  say(soak.problems.length === 0 ? 'soak: no problems' : `soak: ${soak.problems.length} problems`);
  process.exit(soak.problems.length === 0 ? 0 : 1);
}

function describe(soak: Soak): string[] {
  const { samples, tally, attacks, balance, idleStates, seconds } = soak;
  const level = trend(soak);
  return [
    '',
    'Memory of the idle service in MB (PSS/RSS); heap and external memory of its main process:',
    ...table(samples),
    level === undefined
      ? 'Too few jobs to calculate the growth of the memory.'
      : `Median of jobs 1,001 to 2,000: ${mega(level.before)} MB; of the last 1,000: ${mega(level.after)} MB; ` +
        `growth per 1,000 jobs: ${mega(level.slope)} MB.`,
    '',
    `Responses: ${shown(tally.statuses)}`,
    `Responses to attackers: ${shown(attacks)}`,
    `Job records: ${shown(balance.outcomes)}`,
    `Kills of renderers: ${tally.killed} for ${tally.crashing} jobs; renderer not found in time: ${tally.skipped}; ` +
      `charged although the caller had disconnected: ${balance.chargedUnread}`,
    `Processes: ${shown(countBy(idleStates.after.processes.map(({ kind }) => kind)))}`,
    `Handles: ${shown(idleStates.after.service.resources)}; before: ${shown(idleStates.before.service.resources)}`,
    `${(soak.options.jobs / seconds).toFixed(1)} jobs/s, ${Math.round(seconds)} s; all results: ${json}`,
  ];
}

function trend({ samples }: Soak): ReturnType<typeof trendOf> {
  return trendOf(samples, ({ total }) => total.shared);
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function shown(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function mega(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function numberOf(text: string | undefined, defaultValue: number): number {
  const number = Number(text ?? defaultValue);
  if (Number.isFinite(number)) return number;
  throw new Error(`'${String(text)}' is not a number`);
}

/** Parses `hostile,aborted,crashing`: the number of such jobs in each hundred. */
function mixOf(text: string | undefined): Mix {
  if (text === undefined) return usualMix;
  const [hostile = 0, aborted = 0, crashing = 0] = text.split(',').map((part) => numberOf(part, 0));
  return { hostile, aborted, crashing };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
