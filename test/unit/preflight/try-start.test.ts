import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { describeListenError, tryStart } from '../../../main/preflight/take-address.ts';
import { loadSettings } from '../../../main/settings/load.ts';

const data = mkdtempSync(join(tmpdir(), 'platen-start-'));
after(() => {
  rmSync(data, { recursive: true });
});
writeFileSync(join(data, 'own.log'), 'a line\n');

const taken = { host: '127.0.0.1', port: 1 };
const tried = (file: string) =>
  tryStart(
    { ...loadSettings({ flags: ['--data', data, '--log-file', file], environment: {} }), ...taken },
    taken,
  );

test('the startup check reports a log file that cannot be written', async () => {
  // Windows has no device files, and Linux a folder that accepts no files.
  const devices = process.platform === 'win32' ? [] : ['/dev/null'];
  const procs = process.platform === 'linux' ? ['/proc/none/platen.log'] : [];
  for (const file of ['.', 'own.log/below.log', ...devices, ...procs])
    await assert.rejects(tried(file), /^Error: the log file .* cannot be written: /, file);
});

test('the startup check leaves a writable log file unchanged, and creates no new one', async () => {
  for (const file of ['own.log', 'new.log', 'new/deeper/new.log']) await tried(file);
  assert.deepEqual(readdirSync(data), ['own.log']);
});

test('a port that the system refuses is reported with the cause on that system', () => {
  const problem = { code: 'EACCES', message: 'listen EACCES: permission denied 127.0.0.1:80' };
  const reported = (platform: NodeJS.Platform) =>
    describeListenError(problem, { host: '127.0.0.1', port: 80 }, platform);
  assert.match(reported('linux'), /this user may not listen on port 80; .*1023/);
  assert.match(reported('win32'), /port 80: .*netsh http show servicestate.*excludedportrange.*--port/);
  // Windows has no privileged ports.
  assert.doesNotMatch(reported('win32'), /1023/);
});
