import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { instructions, offlineScript, type BundleFacts } from '../../../build/bundling/instructions.ts';

const facts: BundleFacts = {
  version: '0.1.0',
  platform: 'linux-x64',
  electron: '45.4.1',
  node: '22.1.0',
  fonts: ['fonts-liberation'],
  missing: ['fonts-noto-cjk, because.'],
  registry: 'https://registry.test/',
};

test('the instructions of a bundle list its contents, and number their steps', () => {
  const text = instructions(facts);
  assert.match(text, /Electron 45\.4\.1/);
  assert.match(text, /NOT INSIDE: fonts-noto-cjk, because\./);
  assert.match(text, /apt-get install .*xvfb/);
  const numbers = [...text.matchAll(/^(\d)\. /gm)].map(([, number]) => Number(number));
  assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6]);
  assert.match(instructions({ ...facts, node: undefined }), /Install Node\.js 20\.15 or newer/);
  assert.doesNotMatch(instructions({ ...facts, platform: 'win32-x64' }), /apt-get|\.\/offline/);
});

test('the instructions verify the files with a tool that the platform has', () => {
  assert.match(instructions(facts), /^ {5}sha256sum --quiet --check SHA256SUMS$/m);
  assert.match(
    instructions({ ...facts, platform: 'darwin-arm64' }),
    /^ {5}shasum -a 256 --check SHA256SUMS$/m,
  );
  assert.match(instructions({ ...facts, platform: 'win32-x64' }), /Get-FileHash \$file/);
});

const skip = process.platform === 'win32' && 'the bundle for Windows has no shell script';
test('a command of a bundle finds its Node, packages and Electron from any folder', { skip }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), "platen it's a bundle "));
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  for (const name of ['platen', 'node/bin']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'offline'), offlineScript(facts.registry));
  chmodSync(join(folder, 'offline'), 0o755);
  const print =
    'echo "$PWD|$npm_config_cache|$npm_config_offline|$npm_config_registry|$PLATEN_ELECTRON_DIST|$PATH"';
  const options = { cwd: '/', encoding: 'utf8' } as const;
  const output = execFileSync(join(folder, 'offline'), ['sh', '-c', print], options).split('|');
  const places = ['platen', 'npm-cache', 'electron'].map((name) => join(folder, name));
  assert.deepEqual(output.slice(0, 5), [places[0], places[1], 'true', facts.registry, places[2]]);
  assert.ok(output[5]?.startsWith(`${join(folder, 'node', 'bin')}:`));
});
