import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launcherCommand, packagedProgram, windowsBatchFile } from '../../../main/launch/launcher-command.ts';
import { windowsTool } from '../../../main/launch/run-program.ts';
import { electronAccepts } from '../../support/windows/electron-arguments.ts';

test('the command of a packaged application is its launcher script on Linux and macOS, and its .exe with --wait on Windows', () => {
  assert.deepEqual(packagedProgram('/opt/platen/runtime/platen-service', 'linux', {}), [
    '/opt/platen/platen',
  ]);
  assert.deepEqual(packagedProgram('/Applications/Platen.app/Contents/MacOS/Platen', 'darwin', {}), [
    '/Applications/Platen.app/Contents/Resources/bin/platen',
  ]);
  const windows = 'C:\\Program Files\\Platen\\Platen.exe';
  assert.deepEqual(packagedProgram(windows, 'win32', {}), [windows, '--', '--wait']);
  assert.equal(windowsBatchFile(windows), 'C:\\Program Files\\Platen\\bin\\platen.cmd');
});

test('the command of the login item on Windows is one that Electron accepts, whatever its flags', (context) => {
  const { argv, execPath, platform } = process;
  const hasElectron = 'electron' in process.versions;
  context.after(() => {
    Object.assign(process, { argv, execPath });
    Object.defineProperty(process, 'platform', { value: platform });
    if (!hasElectron) Reflect.deleteProperty(process.versions, 'electron');
  });
  const program = 'C:\\Program Files\\Platen\\Platen.exe';
  const flags = ['--base-url', 'https://pdf.example', '--demo-user', 'boss:key', '--port', '9'];
  Object.assign(process, { argv: [program, 'launcher.cjs', 'serve', ...flags], execPath: program });
  Object.defineProperty(process, 'platform', { value: 'win32' });
  Object.defineProperty(process.versions, 'electron', { value: '45.0.0', configurable: true });
  const [path, ...words] = launcherCommand();
  assert.equal(path, program);
  assert.deepEqual(words, ['--', 'desktop', ...flags]);
  assert.equal(electronAccepts(words), true);
  assert.equal(electronAccepts(words.slice(1)), false, 'Electron refuses the flags without --');
});

test('Windows tools are started from the System32 folder of SystemRoot', () => {
  const environment = { SystemRoot: 'D:\\Windows' };
  assert.equal(windowsTool('icacls', environment), 'D:\\Windows\\System32\\icacls.exe');
  assert.match(
    windowsTool('powershell', environment),
    /System32\\WindowsPowerShell\\v1\.0\\powershell\.exe$/,
  );
  assert.equal(windowsTool('reg', {}), 'C:\\Windows\\System32\\reg.exe');
});

test('the command of an AppImage is its file, not a path below its mount point', () => {
  const mounted = '/tmp/.mount_Plat/runtime/platen-service';
  const environment = { APPIMAGE: '/home/a/Platen.AppImage', APPDIR: '/tmp/.mount_Plat' };
  assert.deepEqual(packagedProgram(mounted, 'linux', environment), ['/home/a/Platen.AppImage']);
  // These variables can also come from a terminal that is an AppImage itself.
  assert.deepEqual(packagedProgram('/opt/platen/runtime/platen-service', 'linux', environment), [
    '/opt/platen/platen',
  ]);
});
