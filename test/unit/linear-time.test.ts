import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** No case takes a second, even on a busy machine; quadratic ones take minutes. */
const maxCaseMs = 15_000;

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
  const onHang = () => {
    problems.push(`${current}: did not end`);
    child.kill('SIGKILL');
  };
  // Messages that arrived while another test blocked this process are read before the immediate.
  let immediate: NodeJS.Immediate | undefined;
  const onTimeout = () => {
    immediate = setImmediate(onHang);
  };
  let timer = setTimeout(onTimeout, maxCaseMs);
  child.on('message', (message: { readonly name?: string; readonly problem?: string }) => {
    clearTimeout(timer);
    clearImmediate(immediate);
    timer = setTimeout(onTimeout, maxCaseMs);
    if (message.problem !== undefined) problems.push(`${current}: ${message.problem}`);
    if (message.name === undefined) return;
    current = message.name;
    cases += 1;
  });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  if (code !== 0 && problems.length === 0) problems.push(`${current}: exit code ${code}`);
  return { problems, cases };
}
