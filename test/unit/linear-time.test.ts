import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** No case takes a second, even on a busy machine; quadratic ones take minutes. */
const maxCaseSeconds = 20;

test(
  'the time to read data from outside grows at most linearly with its length',
  { timeout: 300_000 },
  async () => {
    const program = fileURLToPath(import.meta.resolve('./linear-time/measure-program.ts'));
    const { problems, cases } = await measure(program);
    assert.deepEqual(problems, []);
    assert.ok(cases > 4000, `${cases} cases`);
  },
);

async function measure(program: string): Promise<{ problems: string[]; cases: number }> {
  const problems: string[] = [];
  let cases = 0;
  let current = 'the start';
  const child = fork(program);
  let silentSeconds = 0;
  // Seconds are counted instead of measured, because the whole machine may be suspended for a while.
  const timer = setInterval(() => {
    silentSeconds += 1;
    if (silentSeconds < maxCaseSeconds) return;
    problems.push(`${current}: did not end`);
    child.kill('SIGKILL');
  }, 1000);
  child.on('message', (message: { readonly name?: string; readonly problem?: string }) => {
    silentSeconds = 0;
    if (message.problem !== undefined) problems.push(`${current}: ${message.problem}`);
    if (message.name === undefined) return;
    current = message.name;
    cases += 1;
  });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearInterval(timer);
  if (code !== 0 && problems.length === 0) problems.push(`${current}: exit code ${code}`);
  return { problems, cases };
}
