/**
 * The NSIS hooks under Wine: an installer that Debian's makensis compiles from them and a stub payload, run silently. Run this file
 * with `node --import tsx --test`. Needs the Debian packages nsis, wine and wine64.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../../support/wait-until.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'platen-installer-'));
const prefix = join(scratch, 'wine');
const root = join(prefix, 'drive_c', 'Platen test');
const installed = join(root, 'Platen');
const calls = join(root, 'calls.txt');
const environment = {
  ...process.env,
  WINEPREFIX: prefix,
  WINEDEBUG: '-all',
  WINEARCH: 'win64',
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
  DISPLAY: '',
};

/**
 * A command line that writes its calls down. `suspend` ends a running copy, waits for its end and leaves a state file, which
 * `resume` and `remove` delete, as the real ones do. The files `fail-COMMAND` make a command fail.
 */
const stub = `@echo off
set root=%~dp0..\\..
for %%f in ("%~dp0..") do set state=%%~ff.suspended.json
echo %*>> "%root%\\calls.txt"
if exist "%root%\\fail-%2" exit /b 1
if not "%2"=="suspend" goto resume
echo {}> "%state%"
if not exist "%root%\\copy-runs" goto end
echo.> "%root%\\stop-request"
:wait
ping -n 2 127.0.0.1 > nul
if exist "%root%\\copy-runs" goto wait
:resume
if not "%2"=="install" del "%state%"
:end
exit /b 0
`;

/** A running copy: ends at a stop request, and writes down which version was installed then. */
const runningCopy = `@echo off
echo.> "%~dp0..\\copy-runs"
:loop
ping -n 2 127.0.0.1 > nul
if not exist "%~dp0..\\stop-request" goto loop
type "%~dp0version.txt" >> "%~dp0..\\calls.txt"
del "%~dp0..\\stop-request"
del "%~dp0..\\copy-runs"
`;

function requireProgram(program: string, packages: string): void {
  const { error } = spawnSync(program, ['-VERSION'], { stdio: 'ignore', env: environment });
  assert.equal(error, undefined, `${program} is missing; install the Debian packages ${packages}.`);
}

function build(version: number): string {
  const payload = join(scratch, `payload-${version}`);
  mkdirSync(join(payload, 'bin'), { recursive: true });
  writeFileSync(join(payload, 'bin', 'platen.cmd'), stub.replaceAll('\n', '\r\n'));
  writeFileSync(join(payload, 'copy.cmd'), runningCopy.replaceAll('\n', '\r\n'));
  writeFileSync(join(payload, 'Platen.exe'), '');
  writeFileSync(join(payload, 'version.txt'), `copy of version ${version} ended\r\n`);
  writeFileSync(join(payload, `only-in-${version}.txt`), '');
  const output = join(scratch, `setup-${version}.exe`);
  const hooks = join(project, 'build', 'packaging', 'windows', 'installer.nsh');
  const { status, stdout } = spawnSync(
    'makensis',
    ['-V2', '-WX', `-DHOOKS=${hooks}`, `-DPAYLOAD=${payload}`, `-DOUTPUT=${output}`, join(here, 'host.nsi')],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stdout);
  return output;
}

/** Runs a Windows program and returns its exit code. Its streams are files: Wine's programs may hang on pipes. */
function wine(...words: readonly string[]): number | null {
  const log = openSync(join(scratch, 'wine.log'), 'a');
  try {
    return spawnSync('wine', words, { stdio: ['ignore', log, log], env: environment, timeout: 120_000 })
      .status;
  } finally {
    closeSync(log);
  }
}

function readCalls(): string[] {
  if (!existsSync(calls)) return [];
  const lines = readFileSync(calls, 'utf8').split('\r\n');
  rmSync(calls);
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

describe('the NSIS installer', () => {
  let version1 = '';
  let version2 = '';
  before(() => {
    requireProgram('makensis', 'nsis');
    requireProgram('wine', 'wine and wine64');
    version1 = build(1);
    version2 = build(2);
    assert.equal(wine('wineboot', '--init'), 0);
  });
  after(() => {
    spawnSync('wineserver', ['--kill'], { env: environment });
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Runs a command line as it is, from a batch file: NSIS expects `/D=` and `_?=` without quotes, even around spaces. */
  const runLine = (line: string) => {
    const batchFile = join(root, 'run.cmd');
    mkdirSync(root, { recursive: true });
    writeFileSync(batchFile, `@echo off\r\n${line}\r\nexit /b %ERRORLEVEL%\r\n`);
    const code = wine('cmd', '/d', '/c', 'C:\\Platen test\\run.cmd');
    rmSync(batchFile);
    return code;
  };
  const install = (setup: string, ...options: readonly string[]) =>
    runLine([`"Z:${setup.replaceAll('/', '\\')}"`, '/S', ...options].join(' '));
  /** Runs a copy, as Windows and electron-builder do, because a running uninstaller cannot delete itself. */
  const uninstall = (...options: readonly string[]) => {
    const copy = join(root, 'uninstall.exe');
    copyFileSync(join(installed, 'Uninstall Platen.exe'), copy);
    const code = runLine(['"%~dp0uninstall.exe"', '/S', ...options, '_?=%~dp0Platen'].join(' '));
    rmSync(copy);
    return code;
  };

  test('installs silently without touching the system, and removes everything', () => {
    assert.equal(install(version1), 0);
    assert.ok(existsSync(join(installed, 'only-in-1.txt')));
    assert.deepEqual(readCalls(), []);
    assert.equal(uninstall(), 0);
    assert.deepEqual(readCalls(), ['service suspend', 'service remove']);
    assert.equal(existsSync(installed), false);
  });

  test('sets up a service and a firewall rule as its command line says', () => {
    assert.equal(
      install(version1, '/allusers', '/SERVICE=1', '/FIREWALL=1', '/PORT=9000', '/HOST=0.0.0.0'),
      0,
    );
    assert.deepEqual(readCalls(), ['service install --port "9000" --host "0.0.0.0" --firewall']);
    assert.equal(uninstall('/PURGE=1'), 0);
    assert.deepEqual(readCalls(), ['service suspend', 'service remove --purge']);
  });

  test('installs the service of one user for that user, in a data folder with spaces', () => {
    assert.equal(install(version1, '/currentuser', '/SERVICE=1', '/DATA="C:\\my data"'), 0);
    assert.deepEqual(readCalls(), ['service install --user --data "C:\\my data"']);
    // A single backslash would escape the quote, and the port would belong to the path.
    assert.equal(install(version2, '/SERVICE=1', '/DATA="D:\\my data\\"', '/FIREWALL=1'), 0);
    assert.deepEqual(readCalls().slice(-2), [
      'service install --user --data "D:\\my data\\\\" --firewall',
      // After the installation of the service, so that it finds a service of a version in another folder.
      'service resume',
    ]);
    uninstall();
    readCalls();
  });

  test('upgrades over a running copy: it ends before files are replaced, and is started again', async () => {
    install(version1);
    const copy = spawn('wine', ['cmd', '/c', 'C:\\Platen test\\Platen\\copy.cmd'], {
      stdio: 'ignore',
      env: environment,
    });
    await waitUntil('the copy runs', () => existsSync(join(root, 'copy-runs')), 60_000);
    assert.equal(install(version2), 0);
    copy.kill();
    assert.deepEqual(readCalls(), [
      'service suspend',
      'copy of version 1 ended',
      // The old uninstaller stops what it finds, too.
      'service suspend',
      'service resume',
    ]);
    assert.equal(existsSync(join(installed, 'only-in-1.txt')), false);
    assert.ok(existsSync(join(installed, 'only-in-2.txt')));
    assert.equal(uninstall(), 0);
    readCalls();
  });

  test('upgrades into another folder: what the old version has stopped is started there', () => {
    const moved = join(root, 'New folder');
    const intoNewFolder = '/D=C:\\Platen test\\New folder';
    install(version1);
    writeFileSync(join(root, 'fail-suspend'), '');
    assert.equal(install(version2, intoNewFolder), 2);
    rmSync(join(root, 'fail-suspend'));
    // Only the old version is there to call.
    assert.deepEqual(readCalls(), ['service suspend', 'service resume']);
    assert.deepEqual([existsSync(installed), existsSync(moved)], [true, false]);
    assert.equal(install(version2, intoNewFolder), 0);
    assert.deepEqual(readCalls(), ['service suspend', 'service resume']);
    assert.deepEqual([existsSync(installed), existsSync(moved)], [false, true]);
    // The real command exits with 1 for a service of the old folder.
    writeFileSync(join(root, 'fail-resume'), '');
    assert.equal(install(version1, '/D=C:\\Platen test\\Platen'), 5);
    rmSync(join(root, 'fail-resume'));
    assert.deepEqual(readCalls(), ['service suspend', 'service resume']);
    assert.deepEqual(
      readdirSync(root).filter((name) => name.endsWith('.json')),
      ['Platen.suspended.json'],
    );
    uninstall();
    readCalls();
  });

  test('changes nothing and exits with 4 if Platen cannot be stopped', () => {
    install(version1);
    writeFileSync(join(root, 'fail-suspend'), '');
    assert.equal(install(version2), 4);
    assert.ok(existsSync(join(installed, 'only-in-1.txt')));
    assert.equal(uninstall(), 4);
    rmSync(join(root, 'fail-suspend'));
  });

  test('upgrades an installation whose program was removed, which cannot stop anything', () => {
    install(version1);
    rmSync(join(installed, 'Platen.exe'));
    writeFileSync(join(root, 'fail-suspend'), '');
    assert.equal(install(version2), 0);
    rmSync(join(root, 'fail-suspend'));
    assert.ok(existsSync(join(installed, 'Platen.exe')));
    assert.equal(uninstall(), 0);
    readCalls();
    rmSync(join(root, 'Platen.suspended.json'), { force: true });
  });

  test('exits with 5 if the service is not installed or not started, and with 6 if it is not removed', () => {
    for (const command of ['install', 'resume']) {
      writeFileSync(join(root, `fail-${command}`), '');
      assert.equal(install(version2, '/SERVICE=1'), 5);
      rmSync(join(root, `fail-${command}`));
      assert.ok(existsSync(join(installed, 'only-in-2.txt')));
    }
    writeFileSync(join(root, 'fail-remove'), '');
    assert.equal(uninstall(), 6);
    rmSync(join(root, 'fail-remove'));
    assert.equal(existsSync(installed), false);
  });

  test('writes the output of Platen to the file in /LOG=', () => {
    install(version1, '/SERVICE=1', '/LOG="C:\\Platen test\\setup.log"');
    assert.ok(existsSync(join(root, 'setup.log')));
    rmSync(join(root, 'setup.log'));
    uninstall();
    readCalls();
    rmSync(join(root, 'Platen.suspended.json'), { force: true });
    assert.deepEqual(readdirSync(root), []);
  });
});
