import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packagedProgram, windowsBatchFile } from '../../../main/launch/launcher-command.ts';
import { windowsTool } from '../../../main/launch/run-program.ts';

test('the command line of a packaged application can be run on each system', () => {
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

test('tools of Windows are started from the folder of the system', () => {
  const environment = { SystemRoot: 'D:\\Windows' };
  assert.equal(windowsTool('icacls', environment), 'D:\\Windows\\System32\\icacls.exe');
  assert.match(
    windowsTool('powershell', environment),
    /System32\\WindowsPowerShell\\v1\.0\\powershell\.exe$/,
  );
  assert.equal(windowsTool('reg', {}), 'C:\\Windows\\System32\\reg.exe');
});

test('an AppImage is named by its file, not by its mount point', () => {
  const mounted = '/tmp/.mount_Plat/runtime/platen-service';
  const set = { APPIMAGE: '/home/a/Platen.AppImage', APPDIR: '/tmp/.mount_Plat' };
  assert.deepEqual(packagedProgram(mounted, 'linux', set), ['/home/a/Platen.AppImage']);
  // The environment of a terminal that is an AppImage itself.
  assert.deepEqual(packagedProgram('/opt/platen/runtime/platen-service', 'linux', set), [
    '/opt/platen/platen',
  ]);
});
