import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packagedProgram, windowsBatchFile } from '../../../main/launch/launcher-command.ts';
import { windowsTool } from '../../../main/launch/run-program.ts';

test('the command of a packaged application is its launcher script on Linux and macOS, and its .exe with --wait on Windows', () => {
  assert.deepEqual(packagedProgram('/opt/platen/runtime/platen-service', 'linux', {}), [
    '/opt/platen/platen',
  ]);
  assert.deepEqual(packagedProgram('/Applications/Platen.app/Contents/MacOS/Platen', 'darwin', {}), [
    '/Applications/Platen.app/Contents/Resources/bin/platen',
  ]);
  const windows = 'C:\\Program Files\\Platen\\Platen.exe';
  assert.deepEqual(packagedProgram(windows, 'win32', {}), [windows, '--wait']);
  assert.equal(windowsBatchFile(windows), 'C:\\Program Files\\Platen\\bin\\platen.cmd');
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
