import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packagedCommand } from '../../../main/launch/own-command.ts';

test('the command of a packaged application is what a person starts, on each system', () => {
  assert.equal(packagedCommand('/opt/platen/runtime/platen-service', 'linux', {}), '/opt/platen/platen');
  assert.equal(
    packagedCommand('/Applications/Platen.app/Contents/MacOS/Platen', 'darwin', {}),
    '/Applications/Platen.app/Contents/Resources/bin/platen',
  );
  const windows = 'C:\\Program Files\\Platen\\Platen.exe';
  assert.equal(packagedCommand(windows, 'win32', {}), windows);
});

test('an AppImage is started as the file it is, and not where it lies unpacked this time', () => {
  const mounted = '/tmp/.mount_Plat/runtime/platen-service';
  const set = { APPIMAGE: '/home/a/Platen.AppImage', APPDIR: '/tmp/.mount_Plat' };
  assert.equal(packagedCommand(mounted, 'linux', set), '/home/a/Platen.AppImage');
  // A terminal that is an AppImage itself.
  assert.equal(packagedCommand('/opt/platen/runtime/platen-service', 'linux', set), '/opt/platen/platen');
});
