import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { openBackPressure } from '../../../main/engine/back-pressure.ts';

/** By proc(5). */
function isStopped({ pid = 0 }: ChildProcess): boolean {
  return /^.*\) T /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
}

/** Whether it stands still at some time while nothing else is done here. */
function standsStillMeanwhile(child: ChildProcess, milliseconds: number): boolean {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) if (isStopped(child)) return true;
  return false;
}

function idle(): ChildProcess {
  return spawn(process.execPath, ['-e', 'setInterval(() => {}, 5)'], { stdio: 'ignore' });
}

const moment = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Longer than a machine ten times slower takes to start a thread. */
const patience = 20_000;

describe('Back pressure', { skip: process.platform !== 'linux' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-pressure-'));
  const program = join(folder, 'thread.cjs');
  let child: ChildProcess;
  before(async () => {
    const source = new URL('../../../main/engine/back-pressure-thread.ts', import.meta.url);
    await build({
      entryPoints: [fileURLToPath(source)],
      outfile: program,
      ...({ bundle: true, format: 'cjs', platform: 'node', target: 'node20' } as const),
    });
    child = idle();
  });
  after(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const onLost = (problem: Error) => {
    throw problem;
  };
  const goesOn = async () => {
    while (isStopped(child)) await moment();
  };

  test('a process stands still while nobody is answered here, and goes on afterwards', async () => {
    const pressure = openBackPressure({ processes: () => [0, child.pid ?? 0], onLost, program });
    pressure.update();
    const until = performance.now() + patience;
    let stood = false;
    while (!stood && performance.now() < until) {
      await moment();
      stood = standsStillMeanwhile(child, 300);
    }
    assert.ok(stood);
    await goesOn();
    await pressure[Symbol.asyncDispose]();
    assert.equal(standsStillMeanwhile(child, 300), false, 'nor when it is over');
  });

  test('nothing is stopped while no window has a job', async () => {
    const processes: number[] = [child.pid ?? 0];
    await using pressure = openBackPressure({ processes: () => processes, onLost, program });
    pressure.update();
    const until = performance.now() + patience;
    do await moment();
    while (!standsStillMeanwhile(child, 300) && performance.now() < until);
    await goesOn();
    processes.length = 0;
    pressure.update();
    await moment();
    assert.equal(standsStillMeanwhile(child, 300), false);
  });

  test('what somebody else has stopped stays so', async () => {
    const other = idle();
    other.kill('SIGSTOP');
    while (!isStopped(other)) await moment();
    const processes = () => [other.pid ?? 0, child.pid ?? 0];
    await using pressure = openBackPressure({ processes, onLost, program });
    pressure.update();
    const until = performance.now() + patience;
    do await moment();
    while (!standsStillMeanwhile(child, 300) && performance.now() < until);
    await goesOn();
    assert.ok(isStopped(other));
    other.kill('SIGKILL');
  });

  test('a process that has gone is no trouble', async () => {
    const gone = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await new Promise((resolve) => gone.once('exit', resolve));
    await using pressure = openBackPressure({ processes: () => [gone.pid ?? 0], onLost, program });
    pressure.update();
    for (let n = 0; n < 5; n += 1) {
      await moment();
      standsStillMeanwhile(child, 50);
    }
  });
});
