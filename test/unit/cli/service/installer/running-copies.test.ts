import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import {
  launcherArguments,
  listProcesses,
  stopCopies,
} from '../../../../../main/cli/service/installer/running-copies.ts';
import { folderOfProgram, isInside } from '../../../../../main/cli/service/installer/installation-folder.ts';
import { allowConnections } from '../../../../../main/cli/service/windows-firewall.ts';
import { userUnits } from '../../../../../main/cli/service/systemd.ts';
import { findServices } from '../../../../../main/cli/service/task-scheduler.ts';
import { planNote } from '../../../../../main/cli/service/plan.ts';
import type { runProgram } from '../../../../../main/launch/run-program.ts';
import { samplePlan } from '../sample-plan.ts';

const skip = process.platform !== 'linux' && 'the processes are listed from /proc';

describe('the copies of an installation', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen installation '));
  const program = join(folder, 'runtime', 'platen-service');
  mkdirSync(join(folder, 'runtime'));
  try {
    linkSync(process.execPath, program);
  } catch {
    // The temporary folder is on another file system.
    copyFileSync(process.execPath, program);
  }
  const launcher = join(folder, 'runtime', 'launcher.cjs');
  writeFileSync(
    launcher,
    `const [, , command, finished] = process.argv;
     const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', '--platen-data-folder=/data of/alice']);
     process.on('SIGTERM', () => { if (command === 'hang') return; require('node:fs').writeFileSync(finished, ''); child.kill('SIGKILL'); process.exit(0); });
     child.on('spawn', () => console.log('ready'));`,
  );
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const start = async (command: string, path = program) => {
    const finished = join(folder, `finished-${command}`);
    const child = spawn(path, [launcher, command, finished], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    return { child, finished };
  };
  const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;
  const ended = (child: ChildProcess) =>
    hasEnded(child) ? undefined : new Promise((resolve) => child.once('exit', resolve));

  test('stop gracefully, with their data folder on record; other processes stay', async () => {
    const copy = await start('serve');
    const other = await start('other', process.execPath);
    const { launchers, killed } = await stopCopies(folder);
    await ended(copy.child);
    assert.equal(copy.child.exitCode, 0);
    assert.equal(existsSync(copy.finished), true);
    assert.deepEqual(killed, []);
    assert.deepEqual(
      launchers.map(({ pid, data, commandLine }) => [pid, data, launcherArguments(commandLine)]),
      [[copy.child.pid, '/data of/alice', `serve "${copy.finished}"`]],
    );
    assert.equal(hasEnded(other.child), false);
    other.child.kill();
    await ended(other.child);
  });

  test('have ended even if their parent has not noticed, as one that waits for the installer', async () => {
    const finished = join(folder, 'finished-unnoticed');
    // `sleep` takes the place of the shell, and never waits for the copy.
    const script = '"$@" & exec sleep 60';
    const parent = spawn('sh', ['-c', script, 'sh', program, launcher, 'serve', finished], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => parent.stdout.once('data', resolve));
    const { launchers, killed } = await stopCopies(folder);
    assert.equal(launchers.length, 1);
    assert.deepEqual(killed, []);
    parent.kill();
    await ended(parent);
  });

  test('are killed if they do not stop in time', async () => {
    const { child } = await start('hang');
    const { killed } = await stopCopies(folder, { timeoutMs: 500 });
    await ended(child);
    assert.equal(child.signalCode, 'SIGKILL');
    assert.ok(killed.includes(child.pid ?? 0));
    assert.deepEqual(await listProcesses(folder), []);
  });
});

/** A runner that answers each command with these lines. */
function answering(...lines: readonly (readonly string[])[]): typeof runProgram {
  const out = lines.map((words) => `${words.map(encodeURIComponent).join(' ')}\r\n`).join('');
  return () => Promise.resolve({ code: 0, out, err: '' });
}

const installed = 'C:\\Program Files\\Platen';

describe('on Windows,', () => {
  test('processes are found by the path of their program, whatever its case', async () => {
    const commandLine = `"${installed}\\Platen.exe" "${installed}\\resources\\app.asar\\launcher.cjs" serve --data "D:\\ü x"`;
    const found = await listProcesses(
      installed,
      'win32',
      answering(
        ['10', '4', 'OFFICE\\jürgen', 'c:\\program files\\platen\\Platen.exe', commandLine],
        ['11', '4', 'OFFICE\\eve', `${installed} copy\\Platen.exe`, 'x'],
      ),
    );
    assert.deepEqual(found, [{ pid: 10, parent: 4, user: 'OFFICE\\jürgen', commandLine }]);
    assert.equal(launcherArguments(commandLine), 'serve --data "D:\\ü x"');
  });

  test('the tasks of all users are found that run a program of the installation', async () => {
    const program = `${installed}\\bin\\platen.cmd`;
    const note = planNote(samplePlan({ name: 'platen', data: 'C:\\ü', as: 'OFFICE\\alice' }));
    const cmd = 'C:\\Windows\\System32\\cmd.exe';
    const inCmd = (path: string) => `/d /s /c ""${path}" "serve" "--data" "C:\\ü""`;
    const found = await findServices(
      installed,
      [],
      answering(
        ['platen', '4', cmd, note, inCmd(program)],
        ['platen (jürgen)', '1', `${installed}\\Platen.exe`, note, '"--" "--wait" "serve"'],
        ['edited', '4', program, note, ''],
        ['elsewhere', '4', cmd, note, inCmd('D:\\Platen\\bin\\platen.cmd')],
        ['elsewhere (eve)', '4', 'D:\\Platen\\Platen.exe', note, '"--" "--wait" "serve"'],
        ['foreign', '4', program, 'no plan', ''],
      ),
    );
    assert.deepEqual(
      found.map(({ label, isStarted, plan }) => [label, isStarted, plan.data]),
      [
        ['platen', true, 'C:\\ü'],
        ['platen (jürgen)', false, 'C:\\ü'],
        ['edited', true, 'C:\\ü'],
      ],
    );
  });
});

test("another user's unit is controlled as that user, also when it does not run", async () => {
  const commands: (readonly string[])[] = [];
  const groups = [
    '0::/system.slice/platen.service',
    '0::/user.slice/user-1000.slice/user@1000.service/app.slice/platen.service',
    '0::/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-1.scope',
    '0::/user.slice/user-1000.slice/user@1000.service/app.slice/platen.service',
  ];
  const units = userUnits(groups, ['pdf of user 1001', 'platen'], (command) => {
    commands.push(command);
    return Promise.resolve('');
  });
  assert.deepEqual(
    units.map(({ label, isStarted }) => [label, isStarted]),
    [
      ['platen of user 1000', true],
      ['pdf of user 1001', false],
    ],
  );
  await units[0]?.stop();
  await units[1]?.start();
  const words = commands.map((command) => command.join(' '));
  assert.match(words[0] ?? '', /--reuid=1000 .*systemctl --user --quiet stop platen\.service$/);
  assert.match(words[1] ?? '', /--reuid=1001 .*systemctl --user --quiet start pdf\.service$/);
});

test('the folder of an installation is that of its package, and in a clone that of its sources', () => {
  const inside = (electron: string, asar: string, platform: NodeJS.Platform) =>
    folderOfProgram({ electron, application: asar }, platform);
  const windowsAsar = `${installed}\\resources\\app.asar`;
  assert.equal(inside(`${installed}\\Platen.exe`, windowsAsar, 'win32'), installed);
  assert.equal(inside(`${installed}\\bin\\..\\Platen.exe`, windowsAsar, 'win32'), installed);
  assert.equal(
    inside(`${installed}\\bin\\..\\Platen.exe`, `${installed}\\resources\\app.asar`, 'win32'),
    installed,
  );
  assert.equal(
    inside('/opt/platen/runtime/platen-service', '/opt/platen/runtime/resources/app.asar', 'linux'),
    '/opt/platen',
  );
  const app = '/Applications/Platen.app';
  assert.equal(inside(`${app}/Contents/MacOS/Platen`, `${app}/Contents/Resources/app.asar`, 'darwin'), app);
  assert.equal(inside('/home/a/node_modules/electron/dist/electron', '/home/a', 'linux'), '/home/a');
});

test('a firewall rule names the program without the folder of platen.cmd', async () => {
  const commands: (readonly string[])[] = [];
  await allowConnections('Platen', `${installed}\\bin\\..\\Platen.exe`, (command) => {
    commands.push(command);
    return Promise.resolve({ code: 0, out: '', err: '' });
  });
  assert.ok(commands.at(-1)?.includes(`program=${installed}\\Platen.exe`));
});

test('a path is inside a folder only below it', () => {
  assert.equal(isInside('/opt/platen/platen', '/opt/platen'), true);
  assert.equal(isInside('/opt/platen2/platen', '/opt/platen'), false);
  assert.equal(isInside('/opt/platen', '/opt/platen'), false);
  assert.equal(isInside('C:\\PLATEN\\a', 'c:\\platen'), true);
  assert.equal(isInside('D:\\platen\\a', 'c:\\platen'), false);
});
