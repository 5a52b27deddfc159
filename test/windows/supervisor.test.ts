/**
 * The launcher as installed on Windows, with a stub of Electron and of the service: start, stop, crash, hang, and lost processes.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { dataFolderPid } from '../../main/launch/data-folder-lock.ts';
import { requestStop } from '../../main/launch/request-file.ts';
import { installPlaten, type InstalledPlaten } from '../support/windows/installed-platen.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Behaviour } from './stub-service-program.ts';

/** A line of events.jsonl, which the stub of the service writes. */
interface ServiceEvent {
  readonly event: string;
  readonly pid: number;
  readonly restarts?: string;
  readonly after?: string;
  readonly port?: string;
}

let root = '';
let installed: InstalledPlaten;
before(() => {
  root = mkdtempSync(join(tmpdir(), 'platen-supervisor-'));
  const service = JSON.stringify(import.meta.resolve('./stub-service-program.ts'));
  installed = installPlaten(join(root, 'Program Files'), `import(${service});`);
});
after(() => {
  rmSync(root, { recursive: true, maxRetries: 5 });
});

let data = '';
let count = 0;
const launchers: Launcher[] = [];
beforeEach(() => {
  count += 1;
  data = join(root, `data ${count}`);
  mkdirSync(data);
});
afterEach(() => {
  for (const { process: launcher } of launchers.splice(0)) launcher.kill('SIGKILL');
});

interface Launcher {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly exitCode: Promise<number | null>;
}

/** Runs `platen serve` as the batch file of the installation does. */
function serve(...flags: readonly string[]): Launcher {
  const child = spawn(installed.program, [installed.launcher, 'serve', '--data', data, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PLATEN_TRAY: 'off', ELECTRON_RUN_AS_NODE: '1' },
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  const exitCode = new Promise<number | null>((resolve) => child.once('close', resolve));
  const launcher = { process: child, output: () => output, exitCode };
  launchers.push(launcher);
  return launcher;
}

const nextRun = (behaviour: Behaviour) => {
  writeFileSync(join(data, 'behaviour'), behaviour);
};

function events(): readonly ServiceEvent[] {
  const file = join(data, 'events.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as ServiceEvent);
}

const eventsOf = (name: string) => events().filter(({ event }) => event === name);
const started = (times: number) =>
  waitUntil(`the service has started ${times} times`, () => eventsOf('start').length === times);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('The launcher on Windows', () => {
  test('starts the service, shows its ready line, and ends with exit code 0 after a stop request', async () => {
    const launcher = serve();
    await waitUntil('the service listens', () => launcher.output().includes('Platen listening on http:'));
    assert.equal(dataFolderPid(data), launcher.process.pid);
    requestStop(data);
    assert.equal(await launcher.exitCode, 0);
    assert.deepEqual(
      events().map(({ event }) => event),
      ['start', 'stop'],
    );
    assert.equal(dataFolderPid(data), undefined);
    assert.ok(!existsSync(join(data, 'stop-request')));
  });

  test('refuses a second start, names the first process, and lets it show its window', async () => {
    const first = serve();
    await started(1);
    await waitUntil('the service listens for requests', () => existsSync(join(data, 'tray')));
    const second = serve();
    assert.equal(await second.exitCode, 1);
    assert.match(second.output(), new RegExp(`already in use by process ${first.process.pid ?? 0}`));
    await waitUntil('the request has arrived', () => eventsOf('show').length === 1);
  });

  test('can be started again after it was killed, which also ends its service', async () => {
    const first = serve();
    await started(1);
    await waitUntil('the service listens', () => first.output().includes('listening'));
    const [service] = eventsOf('start');
    first.process.kill('SIGKILL');
    await waitUntil('the service has ended', () => !isRunning(service?.pid ?? 0));
    const second = serve();
    await started(2);
    requestStop(data);
    assert.equal(await second.exitCode, 0);
  });

  test('restarts a service that crashed, and passes it the reason and the port', async () => {
    nextRun('crash');
    const launcher = serve();
    await started(2);
    const [, restarted] = eventsOf('start');
    assert.deepEqual([restarted?.restarts, restarted?.after, restarted?.port], ['1', 'exit code 9', '4711']);
    requestStop(data);
    assert.equal(await launcher.exitCode, 0);
  });

  test('kills a service that hangs, and restarts it', async () => {
    nextRun('hang');
    const launcher = serve('--hang-timeout', '2');
    await started(2);
    const [hung, restarted] = eventsOf('start');
    assert.equal(restarted?.after, 'it did not respond for 2 s');
    assert.ok(!isRunning(hung?.pid ?? 0));
    requestStop(data);
    assert.equal(await launcher.exitCode, 0);
  });

  test('ends with an error if the first start fails', async () => {
    nextRun('fail to start');
    const launcher = serve();
    assert.equal(await launcher.exitCode, 1);
    assert.match(launcher.output(), /the stub does not start/);
    assert.equal(eventsOf('start').length, 1);
  });

  test('leaves no subprocess of a service that crashed', async () => {
    nextRun('spawn');
    const launcher = serve();
    await waitUntil('the subprocess has started', () => existsSync(join(data, 'child.pid')));
    writeFileSync(join(data, 'crash-now'), '');
    const child = Number(readFileSync(join(data, 'child.pid'), 'utf8'));
    assert.ok(isRunning(child));
    await started(2);
    await waitUntil('the subprocess has ended', () => !isRunning(child));
    requestStop(data);
    assert.equal(await launcher.exitCode, 0);
  });
});
