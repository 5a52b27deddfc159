import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Returns the state letter from /proc (proc(5)), or undefined if the process does not exist. */
function stateOf(pid: number): string | undefined {
  try {
    return /^.*\) (\w) /s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1];
  } catch {
    return undefined;
  }
}

const moment = () => new Promise((resolve) => setTimeout(resolve, 20));

const printedPid = (child: ChildProcess) =>
  new Promise<number>((resolve) => {
    child.stdout?.once('data', (text: Buffer) => {
      resolve(Number(text));
    });
  });

/** A service that has stopped its renderer with SIGSTOP. The renderer is a child process that ends when its stdin closes. */
const service = `
  import { spawn } from 'node:child_process';
  import { resumeRenderersAtExit } from ${JSON.stringify(fileURLToPath(new URL('../../../../main/engine/health/back-pressure.ts', import.meta.url)))};
  resumeRenderersAtExit(process.pid);
  const renderer = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  renderer.kill('SIGSTOP');
  console.log(renderer.pid);
  setInterval(() => {}, 1000);`;

const options = { skip: process.platform !== 'linux', timeout: 60_000 };

test('a stopped renderer resumes and ends when the service is killed', options, async () => {
  const parameters = ['--import', 'tsx', '--input-type=module', '-e', service];
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const renderer = await printedPid(child);
  while (stateOf(renderer) !== 'T') await moment();
  child.kill('SIGKILL');
  while (stateOf(renderer) === 'T') await moment();
  while (!['Z', undefined].includes(stateOf(renderer))) await moment();
  assert.notEqual(stateOf(renderer), 'T');
});
