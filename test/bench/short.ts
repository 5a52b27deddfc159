/** The short run of the benchmark, of less than two minutes: compares ratios with test/bench/baseline.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { compareWithBaseline } from './baseline.ts';
import { startCandidates } from './candidates/all.ts';
import { makeDocument } from './documents/all.ts';
import { openFailures } from './failures.ts';
import { ratiosOf, type Ratio } from './ratios.ts';
import { standingLines } from './report.ts';
import { runRounds } from './rounds.ts';
import { openScratch } from './scratch.ts';
import { standingsOf } from './standings.ts';

const file = join(import.meta.dirname, 'baseline.json');
const roundsOptions = { callers: [1, 8], rounds: 3, lap: 1000 } as const;
const allDocuments = ['letter', 'invoice', 'site', 'report', 'chart'] as const;

/** Returns a message for each ratio that regressed. */
export async function runShort(print: (line: string) => void): Promise<string[]> {
  const { ratios } = JSON.parse(readFileSync(file, 'utf8')) as { readonly ratios: readonly Ratio[] };
  return await compareWithBaseline(ratios, (documents) => measure(documents, print));
}

/** Measures the ratios, and writes them as the new baseline. */
export async function writeBaseline(print: (line: string) => void): Promise<void> {
  const measured = await measure(allDocuments, print);
  const ratios = measured.map((ratio) => ({ ...ratio, value: Number(ratio.value.toFixed(3)) }));
  writeFileSync(file, `${JSON.stringify({ ratios }, undefined, 2)}\n`);
}

async function measure(names: readonly string[], print: (line: string) => void): Promise<Ratio[]> {
  const documents = await Promise.all(names.map(makeDocument));
  using scratch = openScratch();
  const preparation = { workers: availableParallelism(), folder: scratch.folder };
  await using candidates = await startCandidates(['platen', 'loop'], preparation);
  const inputs = { candidates: candidates.all, documents, print, failures: openFailures(print) };
  const measured = await runRounds({ ...roundsOptions, ...inputs });
  const standings = standingsOf(measured);
  for (const line of standingLines(standings, ['loop'])) print(line);
  return ratiosOf(standings);
}
