import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { project } from '../../support/service/service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the main script of the packaged application', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-start-'));
  const recorded = join(folder, 'arguments.json');
  const electron = join(folder, 'node_modules', 'electron');
  mkdirSync(electron, { recursive: true });
  writeFileSync(join(electron, 'index.js'), 'exports.app = { exit: (code) => process.exit(code) };');
  copyFileSync(join(project, 'build', 'packaging', 'files', 'start.cjs'), join(folder, 'start.cjs'));
  writeFileSync(
    join(folder, 'launcher.cjs'),
    `const { renameSync, writeFileSync } = require('node:fs');
     writeFileSync(${JSON.stringify(`${recorded}.part`)}, JSON.stringify(process.argv.slice(2)));
     renameSync(${JSON.stringify(`${recorded}.part`)}, ${JSON.stringify(recorded)});
     process.exitCode = 7;`,
  );
  // In a packaged Electron, process.argv has no path of a script.
  const program = join(folder, 'electron.cjs');
  writeFileSync(program, "process.argv.splice(1, 1); require('./start.cjs');");
  after(() => {
    rmSync(folder, { recursive: true, maxRetries: 5 });
  });

  /** Starts the application with these words, and returns its exit code and the arguments that the launcher gets. */
  const start = async (...words: readonly string[]) => {
    const { status } = spawnSync(process.execPath, [program, ...words]);
    await waitUntil('the launcher has started', () => existsSync(recorded), 30_000);
    const launcher = JSON.parse(readFileSync(recorded, 'utf8')) as unknown;
    rmSync(recorded);
    return { status, launcher };
  };

  test('starts the launcher with its words, and waits for it if asked', async () => {
    const words = ['serve', '--base-url', 'https://pdf.example', '--port', '9'];
    assert.deepEqual(await start('--', '--wait', ...words), { status: 7, launcher: words });
    assert.deepEqual(await start('--wait', ...words), { status: 7, launcher: words });
  });

  test('reports a failed start in a dialog if no process waits', async () => {
    assert.deepEqual(await start(), { status: 0, launcher: ['desktop'] });
    assert.deepEqual(await start('--', 'serve', '--data', 'D:\\x'), {
      status: 0,
      launcher: ['desktop', '--data', 'D:\\x'],
    });
  });
});
