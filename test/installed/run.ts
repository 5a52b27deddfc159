/**
 * Checks an installed package as an administrator uses it: self-test, service, conversion, crash, upgrade, removal. It changes the
 * machine and needs the rights of an administrator, so only the workflow .github/workflows/packages.yml runs all of it. With
 * `--without-service` it starts `platen serve` instead of a service, and runs on any machine.
 *
 * usage: node --import tsx test/installed/run.ts --platen COMMAND [--upgrade COMMAND] [--remove COMMAND]
 *        [--user-service | --without-service]
 *
 * `--platen`: path of the `platen` command; `--upgrade`: shell command that installs the package again; `--remove`: shell command
 * that removes the package.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { waitUntil as pollUntil } from '../support/wait-until.ts';

const { values } = parseArgs({
  options: {
    platen: { type: 'string' },
    upgrade: { type: 'string' },
    remove: { type: 'string' },
    'user-service': { type: 'boolean', default: false },
    'without-service': { type: 'boolean', default: false },
  },
});
const command = values.platen ?? '';
assert.ok(existsSync(command), `--platen: ${command} does not exist.`);

const port = 8799;
const url = `http://127.0.0.1:${port}`;
/** A task on Windows starts again within a minute, and a start on a slow machine takes another. */
const startTimeoutMs = 240_000;

const installation = values['without-service'] ? startAsProgram() : installService();
await waitUntil('the service answers', isUp);
const key = readKey(installation.data);
await step('converts a document', convert);
await step('works again after a crash', async () => {
  const before = processId();
  await installation.crash();
  await waitUntil(
    `another process than ${before} answers`,
    async () => (await isUp()) && processId() !== before,
  );
  await convert();
});
await step('works again after a restart', async () => {
  await installation.restart();
  await convert();
});
if (values.upgrade !== undefined) {
  await step('works again after an upgrade', async () => {
    shell(values.upgrade ?? '');
    await installation.startAfterUpgrade();
    await convert();
  });
}
await step('is removed completely', async () => {
  await installation.remove();
  await waitUntil('the service has ended', async () => !(await isUp()));
  assert.equal(existsSync(installation.data), false, `${installation.data} still exists.`);
  if (values.remove === undefined) return;
  shell(values.remove);
  // An uninstaller on Windows goes on after its command has ended.
  await waitUntil(`${command} is removed`, () => !existsSync(command));
});
process.stdout.write('The installed package works.\n');

interface Installation {
  readonly data: string;
  /** Kills the launcher, or the service if it runs as a program. */
  readonly crash: () => Promise<void>;
  readonly restart: () => Promise<void>;
  /** Starts a program that the upgrade has stopped. A package starts services itself. */
  readonly startAfterUpgrade: () => Promise<void>;
  /** Stops the service, and removes it with its data. */
  readonly remove: () => Promise<void>;
}

function installService(): Installation {
  const scope = values['user-service'] ? ['--user'] : [];
  platen('self-test');
  platen('service', 'install', ...scope, '--port', String(port));
  const { data } = JSON.parse(platen('service', 'status', ...scope, '--json')) as { readonly data: string };
  return {
    data,
    crash() {
      // On Windows, Node.js may not end a process of another account; taskkill uses the rights of an administrator to do so.
      if (process.platform === 'win32') shell(`taskkill /f /pid ${processId()}`);
      else process.kill(processId(), 'SIGKILL');
      return Promise.resolve();
    },
    restart() {
      platen('service', 'restart', ...scope);
      return Promise.resolve();
    },
    startAfterUpgrade: () => Promise.resolve(),
    remove() {
      platen('service', 'uninstall', ...scope, '--purge');
      return Promise.resolve();
    },
  };
}

function startAsProgram(): Installation {
  const data = mkdtempSync(join(tmpdir(), 'platen-installed-'));
  platen('self-test', '--data', data);
  const start = () =>
    spawn(command, ['serve', '--port', String(port), '--data', data, '--tray', 'off'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
  let launcher: ChildProcess = start();
  const stop = async () => {
    const ended = new Promise((resolve) => launcher.once('exit', resolve));
    launcher.kill();
    await ended;
  };
  return {
    data,
    async crash() {
      launcher.kill('SIGKILL');
      await waitUntil('the service has ended', async () => !(await isUp()));
      launcher = start();
    },
    async restart() {
      await stop();
      launcher = start();
    },
    async startAfterUpgrade() {
      if (launcher.exitCode === null && launcher.signalCode === null) await stop();
      launcher = start();
    },
    async remove() {
      await stop();
      rmSync(data, { recursive: true });
    },
  };
}

/** Runs `platen` and returns its standard output. @throws Error with its output if it fails */
function platen(...args: readonly string[]): string {
  const isBatchFile = process.platform === 'win32';
  const words = isBatchFile ? args.map((word) => `"${word}"`) : args;
  const { status, stdout, stderr, error } = spawnSync(isBatchFile ? `"${command}"` : command, words, {
    encoding: 'utf8',
    shell: isBatchFile,
    timeout: 600_000,
  });
  if (status === 0) return stdout;
  throw new Error(`platen ${args.join(' ')} ended with ${String(status ?? error)}:\n${stdout}${stderr}`);
}

function shell(line: string): void {
  process.stdout.write(`$ ${line}\n`);
  const { status } = spawnSync(line, { shell: true, stdio: 'inherit', timeout: 600_000 });
  assert.equal(status, 0, `'${line}' ended with ${String(status)}.`);
}

/** Creates an API key of the account `admin`, and returns its Authorization header. */
function readKey(data: string): string {
  const created = platen('account', 'key', 'admin', '--data', data);
  const found = /\b[\w-]{20,}\b/.exec(created)?.[0];
  assert.ok(found !== undefined, `no key in: ${created}`);
  return `Basic ${btoa(`admin:${found}`)}`;
}

/** Returns the process id in the data folder, which is that of the launcher. */
function processId(): number {
  return Number(readFileSync(join(installation.data, 'platen.pid'), 'utf8'));
}

async function isUp(): Promise<boolean> {
  return await fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Waits until the service answers, then converts a document. */
async function convert(): Promise<void> {
  await waitUntil('the service answers', isUp);
  const response = await fetch(`${url}/convert/24.04/`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ text: '<h1>Invoice</h1><script>document.title = 1</script>' }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, bytes.toString());
  assert.equal(bytes.toString('latin1', 0, 5), '%PDF-');
}

function waitUntil(what: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
  return pollUntil(what, isDone, startTimeoutMs);
}

async function step(title: string, run: () => Promise<void>): Promise<void> {
  await run();
  process.stdout.write(`ok: the installed package ${title}\n`);
}
