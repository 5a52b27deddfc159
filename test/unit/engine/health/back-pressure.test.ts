import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { openBackPressure } from '../../../../main/engine/health/back-pressure.ts';

/** Returns whether the process is stopped, as read from /proc (proc(5)). */
function isStopped({ pid = 0 }: ChildProcess): boolean {
  return /^.*\) T /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
}

/** Blocks this thread and returns whether the process was stopped meanwhile. */
function isStoppedWhileBlocked(child: ChildProcess, milliseconds: number): boolean {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) if (isStopped(child)) return true;
  return false;
}

function spawnIdleProcess(): ChildProcess {
  return spawn(process.execPath, ['-e', 'setInterval(() => {}, 5)'], { stdio: 'ignore' });
}

const moment = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Long enough to start a thread, even on a machine ten times slower. */
const threadStartTimeoutMs = 20_000;

describe('Back pressure', { skip: process.platform !== 'linux' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-pressure-'));
  const program = join(folder, 'thread.cjs');
  let child: ChildProcess;
  before(async () => {
    const source = new URL('../../../../main/engine/health/back-pressure-thread.ts', import.meta.url);
    await build({
      entryPoints: [fileURLToPath(source)],
      outfile: program,
      ...({ bundle: true, format: 'cjs', platform: 'node', target: 'node20' } as const),
    });
    child = spawnIdleProcess();
  });
  after(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const onLost = (problem: Error) => {
    throw problem;
  };
  const childResumed = async () => {
    while (isStopped(child)) await moment();
  };

  test('stops a renderer while the main thread is blocked, and resumes it afterwards', async () => {
    const pressure = openBackPressure({ processes: () => [0, child.pid ?? 0], onLost, program });
    pressure.update();
    const until = performance.now() + threadStartTimeoutMs;
    let wasStopped = false;
    while (!wasStopped && performance.now() < until) {
      await moment();
      wasStopped = isStoppedWhileBlocked(child, 300);
    }
    assert.ok(wasStopped);
    await childResumed();
    await pressure[Symbol.asyncDispose]();
    assert.equal(
      isStoppedWhileBlocked(child, 300),
      false,
      'the process was stopped after back-pressure ended',
    );
  });

  test('stops no renderer while no window has a job', async () => {
    const processes: number[] = [child.pid ?? 0];
    await using pressure = openBackPressure({ processes: () => processes, onLost, program });
    pressure.update();
    const until = performance.now() + threadStartTimeoutMs;
    do await moment();
    while (!isStoppedWhileBlocked(child, 300) && performance.now() < until);
    await childResumed();
    processes.length = 0;
    pressure.update();
    await moment();
    assert.equal(isStoppedWhileBlocked(child, 300), false);
  });

  test('does not resume a process that something else stopped', async () => {
    const stoppedElsewhere = spawnIdleProcess();
    stoppedElsewhere.kill('SIGSTOP');
    while (!isStopped(stoppedElsewhere)) await moment();
    const processes = () => [stoppedElsewhere.pid ?? 0, child.pid ?? 0];
    await using pressure = openBackPressure({ processes, onLost, program });
    pressure.update();
    const until = performance.now() + threadStartTimeoutMs;
    do await moment();
    while (!isStoppedWhileBlocked(child, 300) && performance.now() < until);
    await childResumed();
    assert.ok(isStopped(stoppedElsewhere));
    stoppedElsewhere.kill('SIGKILL');
  });

  test('causes no error for a process that has ended', async () => {
    const endedProcess = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await new Promise((resolve) => endedProcess.once('exit', resolve));
    await using pressure = openBackPressure({ processes: () => [endedProcess.pid ?? 0], onLost, program });
    pressure.update();
    for (let n = 0; n < 5; n += 1) {
      await moment();
      isStoppedWhileBlocked(child, 50);
    }
  });
});
