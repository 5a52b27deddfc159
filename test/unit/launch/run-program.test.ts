import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runProgram } from '../../../main/launch/run-program.ts';

const node = (program: string) => [process.execPath, '-e', program];

describe('A program', () => {
  test('gets its input, and returns its output and its exit code', async () => {
    const echo = "process.stdin.pipe(process.stdout); console.error('said'); process.exitCode = 3;";
    const result = await runProgram(node(echo), { input: 'Ä and more' });
    assert.deepEqual(result, { code: 3, out: 'Ä and more', err: 'said\n' });
  });

  test('that does not exist has no exit code, and the reason in place of an output', async () => {
    const { code, err } = await runProgram(['no-such-program']);
    assert.equal(code, undefined);
    assert.match(err, /ENOENT/);
  });

  test('ends although a process that it has started keeps its output open', async () => {
    const child = "['-e', 'setTimeout(() => {}, 60_000)']";
    const program = `const { spawn } = require('node:child_process');
      const { pid } = spawn(process.execPath, ${child}, { detached: true, stdio: 'inherit' });
      console.log(pid);
      process.exit(0);`;
    const began = performance.now();
    const { code, out } = await runProgram(node(program));
    process.kill(Number(out), 'SIGKILL');
    assert.equal(code, 0);
    assert.ok(performance.now() - began < 30_000);
  });
});
