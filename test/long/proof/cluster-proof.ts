/**
 * `node --import tsx test/long/proof/cluster-proof.ts [--seed N] [--jobs 2000] [--callers 8] [--rounds 1]`: runs the proof of several
 * nodes, and prints the faults and the problems. Each further round adds one to the seed.
 */
import { parseArgs } from 'node:util';
import { runProof } from './run-proof.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { seed: text, jobs: text, callers: text, rounds: text } });

function numberOf(name: keyof typeof values, usual: number): number {
  const value = Number(values[name] ?? usual);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`--${name}: '${String(values[name])}' is not allowed; allowed: a whole number.`);
  process.exit(2);
}

const firstSeed = numberOf('seed', Date.now() % 1_000_000_000);
const rounds = numberOf('rounds', 1);
const jobs = numberOf('jobs', 2000);
const callers = numberOf('callers', 8);

// process.exit also ends the nodes (test/support/service/service.ts).
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

runRounds().then(
  (problems) => process.exit(problems === 0 ? 0 : 1),
  (problem: unknown) => {
    console.error(problem);
    process.exit(1);
  },
);

/** Returns the number of problems. */
async function runRounds(): Promise<number> {
  let problems = 0;
  for (let seed = firstSeed; seed < firstSeed + rounds; seed += 1) {
    const began = performance.now();
    const say = (line: string) => {
      console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`);
    };
    say(`--seed ${seed} --jobs ${jobs} --callers ${callers}`);
    const { problems: found, ...counts } = await runProof({ seed, jobs, callers, say });
    say(JSON.stringify(counts));
    for (const problem of found) say(`PROBLEM ${problem}`);
    say(found.length === 0 ? 'no problems' : `${found.length} problems`);
    problems += found.length;
  }
  return problems;
}
