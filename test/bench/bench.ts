/**
 * `npm run bench [-- --only letter,invoice --candidates platen,loop,written --callers 1,2,8 --rounds 5 --seconds 1.5]`:
 * measures, prints the figures and the targets, and writes them to a JSON file. --write-docs also updates docs/performance.md;
 * --short is the short run of CI; --write-baseline writes the baseline of the short run.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { project } from '../support/service/service.ts';
import { candidateNames } from './candidates/all.ts';
import { documentNames } from './documents/all.ts';
import { writePage } from './performance-page.ts';
import { profileLines, standingLines, verdictLines } from './report.ts';
import type { BenchmarkResults } from './results.ts';
import { measureNames, runBench } from './run-bench.ts';
import { runShort, writeBaseline } from './short.ts';
import { verdicts } from './targets.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({
  options: {
    only: text,
    candidates: text,
    callers: text,
    rounds: text,
    seconds: text,
    workers: text,
    measures: text,
    json: text,
    from: text,
    short: flag,
    'write-baseline': flag,
    'write-docs': flag,
  },
});

// process.exit also ends the candidates.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

// Calls process.exit, because connections that are still closing would keep the process alive.
begin().then(
  () => process.exit(),
  (problem: unknown) => {
    say(`bench: ${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}`);
    process.exit(1);
  },
);

async function begin(): Promise<void> {
  if (values['write-baseline']) await writeBaseline(say);
  else if (values.short) reportRegressions(await runShort(say));
  else await runWhole();
}

function reportRegressions(regressions: readonly string[]): void {
  for (const sentence of regressions) say(`REGRESSION: ${sentence}`);
  if (regressions.length > 0) process.exitCode = 1;
  else say('bench: no ratio is more than 25 % worse than its baseline');
}

async function runWhole(): Promise<void> {
  const runs = await loadOrMeasure();
  for (const { standings, profiles } of runs) {
    const names = new Set(standings.map(({ candidate }) => candidate));
    const against = [...names].filter((name) => name !== 'platen');
    for (const line of standingLines(standings, against)) say(line);
    for (const line of profileLines(profiles)) say(line);
  }
  for (const line of verdictLines(verdicts(runs))) say(line);
  if (values['write-docs']) await writePage(runs);
  const failures = runs.flatMap((run) => run.failures);
  for (const sentence of failures) say(`FAILED: ${sentence}`);
  if (failures.length > 0) process.exitCode = 1;
}

/** Runs the benchmark, or reads the results of earlier runs (--from a.json,b.json). */
async function loadOrMeasure(): Promise<readonly BenchmarkResults[]> {
  if (values.from !== undefined)
    return values.from.split(',').map((file) => JSON.parse(readFileSync(file, 'utf8')) as BenchmarkResults);
  const results = await runBench(benchOptions(), say);
  const file =
    values.json ?? join(project, '.build', 'bench', `${results.startedAt.replaceAll(':', '-')}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(results, undefined, 1));
  say(`All results: ${file}`);
  return [results];
}

function benchOptions() {
  const isPart = values.only !== undefined || values.candidates !== undefined;
  return {
    documents: listOf(values.only, documentNames),
    candidates: listOf(values.candidates, candidateNames),
    callers: listOf(values.callers, ['1', '2', '8']).map((one) => numberOf(one, 1)),
    rounds: numberOf(values.rounds, 5),
    lap: numberOf(values.seconds, 1.5) * 1000,
    workers: numberOf(values.workers, Math.min(64, availableParallelism())),
    measures: listOf(values.measures, isPart ? [] : measureNames),
  };
}

function listOf(text: string | undefined, defaults: readonly string[]): readonly string[] {
  return text === undefined ? defaults : text.split(',').filter((word) => word !== '');
}

function numberOf(text: string | undefined, defaultValue: number): number {
  const number = Number(text ?? defaultValue);
  if (Number.isFinite(number) && number > 0) return number;
  throw new Error(`'${String(text)}' is not a number above 0`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
