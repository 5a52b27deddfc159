/**
 * `npm run test:real [-- --rounds 10 --callers 1,2 --only leaflet,aos --formats pdf,png --archives --delay 6000]`: converts the
 * corpus repeatedly. Prints the number of correct results for each page, why the other results are wrong, and the overall
 * percentage of correct results.
 */
import { parseArgs } from 'node:util';
import { oracles } from './oracles/all.ts';
import type { Format } from './oracle.ts';
import { artefacts, CorpusRun, inParallel, type CorpusRequest, type CorpusVerdict } from './results.ts';
import { failureLines, tableLines, totalLine } from './table.ts';

const referenceCallers = 6;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1' },
    callers: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    formats: { type: 'string', default: 'pdf,png' },
    archives: { type: 'boolean', default: false },
    delay: { type: 'string' },
  },
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

begin().then(
  (isRight) => process.exit(isRight ? 0 : 1),
  (problem: unknown) => {
    process.stderr.write(
      `${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}\n`,
    );
    process.exit(1);
  },
);

/** Resolves with whether at least 95 % of the results are correct for each number of callers. */
async function begin(): Promise<boolean> {
  const callers = values.callers.split(',').map(Number);
  const requests = selection();
  if (requests.length === 0) throw new Error(`The corpus has no page named ${values.only}.`);
  await using run = await CorpusRun.open(Math.max(referenceCallers, ...callers));
  say(`${requests.length} results per round; creating the references (six seconds per page) ...`);
  await run.prepare(requests, referenceCallers);
  let isRight = true;
  for (const atOnce of callers) {
    const verdicts = await roundsOf(run, requests, atOnce);
    say(`\n${atOnce === 1 ? 'One caller' : `${atOnce} callers`}, ${values.rounds} rounds\n`);
    for (const line of [...tableLines(verdicts), '', ...failureLines(verdicts), '', totalLine(verdicts)])
      say(line);
    isRight &&= verdicts.filter(({ reasons }) => reasons.length === 0).length >= 0.95 * verdicts.length;
  }
  say(`Wrong results are saved in ${artefacts}`);
  return isRight;
}

function selection(): CorpusRequest[] {
  const names = values.only.split(',').filter((name) => name !== '');
  const formats = values.formats.split(',') as Format[];
  const options = values.delay === undefined ? {} : { javascript_delay: Number(values.delay) };
  return oracles
    .filter(({ page }) => names.length === 0 || names.includes(page))
    .flatMap((oracle) => [
      ...formats.map((format) => ({ oracle, format, options })),
      ...(values.archives && oracle.archive === true
        ? [{ oracle, format: 'pdf' as const, asArchive: true, options }]
        : []),
    ]);
}

async function roundsOf(
  run: CorpusRun,
  requests: readonly CorpusRequest[],
  callers: number,
): Promise<CorpusVerdict[]> {
  const verdicts: CorpusVerdict[] = [];
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    verdicts.push(...(await inParallel(requests, callers, (each) => run.check(each))));
    say(`round ${round}, ${callers === 1 ? 'one caller' : `${callers} callers`}: ${totalLine(verdicts)}`);
  }
  return verdicts;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
