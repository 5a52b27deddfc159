import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { desktopEntry, launchAgent, openLoginEntry } from '../../../../main/app/native-bridge/login-item.ts';

const originalConfigHome = process.env.XDG_CONFIG_HOME;
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'platen-login-'));
  process.env.XDG_CONFIG_HOME = root;
});
afterEach(() => {
  rmSync(root, { recursive: true });
  if (originalConfigHome === undefined) delete process.env.XDG_CONFIG_HOME;
  else process.env.XDG_CONFIG_HOME = originalConfigHome;
});

const nowhere = {
  getLoginItemSettings: () => assert.fail('not on Windows'),
  setLoginItemSettings: () => assert.fail('not on Windows'),
};
const command = JSON.stringify(['/usr/bin/node', '/opt/platen/platen.cjs', 'serve', '--port', '80']);

describe('Starting at login', () => {
  test('writes a private autostart entry on Linux, and removes it when turned off', () => {
    const entry = openLoginEntry({ command, platform: 'linux', electronLoginItems: nowhere });
    const file = join(root, 'autostart', 'platen.desktop');
    assert.deepEqual(entry.read(), { on: false, possible: true });
    entry.write(true);
    assert.deepEqual(entry.read(), { on: true, possible: true });
    assert.match(
      readFileSync(file, 'utf8'),
      /^Exec="\/usr\/bin\/node" "\/opt\/platen\/platen.cjs" "serve" "--port" "80"$/m,
    );
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
    entry.write(false);
    entry.write(false);
    assert.deepEqual(entry.read(), { on: false, possible: true });
  });

  const skip = process.platform === 'win32' && 'Windows has no shell to read the entry';
  test('passes arguments with any characters unchanged through the Linux autostart entry', { skip }, () => {
    const words = ['a b', 'c"d', '$HOME', '`id`', 'back\\slash', '100%', ''];
    const exec = /^Exec=(.*)$/m.exec(desktopEntry(words, '/'))?.[1] ?? '';
    // Decodes the escapes of a desktop entry string. The quotes of the command line that remains follow shell rules.
    const line = exec.replaceAll('\\\\', '\\').replaceAll('%%', '%');
    const output = execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\n' "$word"; done`], {
      encoding: 'utf8',
    });
    assert.deepEqual(output.split('\n').slice(0, -1), words);
  });

  test('cannot be turned on for a download that macOS runs from a temporary path', () => {
    const program =
      '/private/var/folders/x/T/AppTranslocation/5F-1/d/Platen.app/Contents/Resources/bin/platen';
    const entry = openLoginEntry({
      command: JSON.stringify([program, 'serve']),
      platform: 'darwin',
      electronLoginItems: nowhere,
    });
    entry.write(true);
    assert.deepEqual(entry.read(), { on: false, possible: false, obstacle: 'translocated' });
  });

  test('writes a launch agent with escaped arguments on macOS', () => {
    assert.match(
      launchAgent(['/a', 'b & <c>'], '/d'),
      /<array><string>\/a<\/string><string>b &amp; &lt;c&gt;<\/string><\/array>/,
    );
  });

  test('sets the login item of Windows with quoted arguments', () => {
    const loginItems: object[] = [];
    const electronLoginItems = {
      getLoginItemSettings: () => ({ openAtLogin: loginItems.length > 0 }),
      setLoginItemSettings: (entry: object) => loginItems.push(entry),
    };
    const words = ['C:\\node.exe', 'C:\\my files\\', 'say "x"'];
    const entry = openLoginEntry({ command: JSON.stringify(words), platform: 'win32', electronLoginItems });
    entry.write(true);
    assert.deepEqual(loginItems, [
      { path: 'C:\\node.exe', args: ['"C:\\my files\\\\"', '"say \\"x\\""'], openAtLogin: true },
    ]);
    assert.deepEqual(entry.read(), { on: true, possible: true });
  });

  test('is not possible without a launcher', () => {
    for (const none of [undefined, '', '[]', '{}']) {
      const entry = openLoginEntry({ command: none, platform: 'linux', electronLoginItems: nowhere });
      entry.write(true);
      assert.deepEqual(entry.read(), { on: false, possible: false });
    }
  });
});
