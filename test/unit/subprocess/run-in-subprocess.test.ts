import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  SubprocessExitError,
  runInSubprocess,
  type SubprocessTask,
} from '../../../main/subprocess/run-in-subprocess.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** URL of the compiled handle-task.ts, which the programs of the tests import. */
const handleTaskModule = import.meta.resolve('./handle-task-program.ts');

/** The compiled program that runs two tasks. */
const twoTasksProgram = fileURLToPath(import.meta.resolve('./two-tasks-program.ts'));

const noProcessList = process.platform !== 'linux' && 'only Linux has /proc';

/** Longer than a program needs to start. */
const startTimeMs = process.platform === 'win32' ? 6000 : 1000;

describe('A subprocess', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'platen-subprocess-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });
  const { signal } = new AbortController();
  let count = 0;

  /**
   * Creates a task that runs `work`, a function body with the parameters `json` and `bytes`. `pid` of the result is the file to
   * which the subprocess writes its process id.
   */
  function createTask(
    work: string,
    overrides: Partial<SubprocessTask> = {},
  ): SubprocessTask & { readonly pid: string } {
    count += 1;
    const program = join(folder, `${count}.mjs`);
    const pid = join(folder, `${count}.pid`);
    writeFileSync(
      program,
      `import { writeFileSync } from 'node:fs';
      import { handleTask } from ${JSON.stringify(handleTaskModule)};
      handleTask(({ json, bytes }) => { writeFileSync(${JSON.stringify(pid)}, String(process.pid)); ${work} });`,
    );
    const timeoutError = () => new Error('too late');
    return {
      program,
      heapBytes: 100_000_000,
      timeoutMs: 60_000,
      createTimeoutError: timeoutError,
      json: {},
      bytes: new Uint8Array(),
      ...overrides,
      pid,
    };
  }

  const assertEnded = ({ pid }: { readonly pid: string }) => {
    assert.throws(() => process.kill(Number(readFileSync(pid, 'utf8')), 0), /ESRCH/);
  };

  test('receives JSON and bytes, and replies with both', async () => {
    const json = { text: 'ä'.repeat(200_000), list: [1, null] };
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
    const echo = createTask('return { json: [json], bytes: bytes.subarray(1) }', { json, bytes });
    const answer = await runInSubprocess(echo, signal);
    assert.deepEqual(answer.json, [json]);
    assert.ok(bytes.subarray(1).equals(answer.bytes));
    assertEnded(echo);
  });

  test('is killed after its timeout, even in an endless loop', async () => {
    const endless = createTask('for (;;);', { timeoutMs: startTimeMs });
    await assert.rejects(runInSubprocess(endless, signal), /too late/);
    assertEnded(endless);
  });

  test('is killed when its job is aborted', async () => {
    const endless = createTask('for (;;);');
    const controller = new AbortController();
    const running = runInSubprocess(endless, controller.signal);
    await waitUntil('the child has begun', () => hasBegun(endless));
    controller.abort(new Error('gone'));
    await assert.rejects(running, /gone/);
    assertEnded(endless);
  });

  test('ends at its heap limit with an error for that limit', async () => {
    const eater = createTask('const all = []; for (;;) all.push(new Array(1000).fill(json))');
    await assert.rejects(runInSubprocess(eater, signal), (problem) => {
      assert.ok(problem instanceof SubprocessExitError, String(problem));
      return problem.outOfMemory;
    });
    assertEnded(eater);
  });

  test('does not see the environment of the service', async () => {
    process.env.PLATEN_TEST_SECRET = 'secret';
    const curious = createTask('return { json: process.env, bytes }');
    const { json } = await runInSubprocess(curious, signal);
    delete process.env.PLATEN_TEST_SECRET;
    const names = Object.keys(json as object);
    // On Windows, libuv adds the variables that programs need (docs.libuv.org/en/v1.x/process.html).
    if (process.platform === 'win32') assert.ok(!names.includes('PLATEN_TEST_SECRET'));
    else assert.deepEqual(names, ['ELECTRON_RUN_AS_NODE']);
  });

  test('reports a failure that is not out of memory', async () => {
    const failing = createTask("throw new Error('broken')");
    await assert.rejects(
      runInSubprocess(failing, signal),
      (problem) => problem instanceof SubprocessExitError && !problem.outOfMemory,
    );
  });

  test('reports a missing program', async () => {
    const missing = { ...createTask('return json'), program: join(folder, 'missing.mjs') };
    await assert.rejects(runInSubprocess(missing, signal), SubprocessExitError);
  });

  test('is ready before its task if an earlier task asked for that, and still runs only one task', async () => {
    const task = createTask('return { json: [process.pid, process.uptime()], bytes }', { keepsSpare: true });
    const run = async () => (await runInSubprocess(task, signal)).json as [pid: number, seconds: number];
    const [first, firstAge] = await run();
    await pause(2 * startTimeMs);
    const [second, secondAge] = await run();
    assert.ok(secondAge * 1000 > startTimeMs && secondAge > firstAge, `${firstAge} s, ${secondAge} s`);
    const [third] = await run();
    assert.equal(new Set([first, second, third]).size, 3);
    for (const pid of [first, second, third]) assert.ok(!isRunning(pid));
  });

  test('is replaced if the one that was ready has ended', { skip: noProcessList }, async () => {
    const task = createTask('return { json: process.pid, bytes }', { keepsSpare: true });
    await runInSubprocess(task, signal);
    const [spare] = await waitForProcesses(task.program);
    process.kill(spare, 'SIGKILL');
    await waitUntil('the spare process has ended', () => !isRunning(spare));
    // By now Node has noticed the end.
    await pause(100);
    assert.notEqual((await runInSubprocess(task, signal)).json, spare);
  });

  test(
    'that is ready does not keep its parent running, and ends with it',
    { skip: noProcessList },
    async () => {
      const task = createTask('return { json: process.pid, bytes }');
      const parent = spawn(process.execPath, [twoTasksProgram, task.program], { stdio: 'ignore' });
      const [code] = (await once(parent, 'exit')) as [number];
      assert.equal(code, 0);
      await waitUntil('the spare process has ended', () => processesOf(task.program).length === 0);
    },
  );

  test('ends after its parent has ended, even in an endless loop', async () => {
    const program = join(folder, 'orphan.mjs');
    const pid = join(folder, 'orphan.pid');
    writeFileSync(
      program,
      `import { writeFileSync } from 'node:fs';
      import { endWithParent } from ${JSON.stringify(handleTaskModule)};
      endWithParent();
      writeFileSync(${JSON.stringify(pid)}, String(process.pid));
      for (;;);`,
    );
    const startChild = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(program)}], { stdio: 'ignore' })`;
    const parent = spawn(process.execPath, ['-e', startChild], { stdio: 'ignore' });
    await waitUntil('the child has begun', () => hasBegun({ pid }));
    parent.kill('SIGKILL');
    await waitUntil('the child has ended', () => !isRunning(Number(readFileSync(pid, 'utf8'))));
  });
});

/** Returns the ids of the running processes of a program. */
function processesOf(program: string): number[] {
  const isOf = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').at(-2) === program && isRunning(pid);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isOf(pid));
}

async function waitForProcesses(program: string): Promise<[number, ...number[]]> {
  let found: number[] = [];
  await waitUntil('a process is ready', () => {
    found = processesOf(program);
    return found.length > 0;
  });
  return found as [number, ...number[]];
}

/** Returns whether a process is running. A zombie, whose exit its new parent has not read yet, has ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

function hasBegun({ pid }: { readonly pid: string }): boolean {
  try {
    return readFileSync(pid, 'utf8') !== '';
  } catch {
    return false;
  }
}
