import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { app } from 'electron';
import { exitAfterFault, logFaults } from '../../main/app/process/lifecycle.ts';
import { openServiceLog } from '../../main/log/service-log.ts';

function openLog() {
  const data = mkdtempSync(join(tmpdir(), 'platen-fault-'));
  const sizes = { 'log-file-size': 1e6, 'log-file-count': 2 };
  const log = openServiceLog(
    { data, 'log-level': 'info', 'log-format': undefined, 'log-file': 'platen.log', ...sizes },
    false,
  );
  const last = () =>
    JSON.parse(readFileSync(join(data, 'platen.log'), 'utf8').trimEnd().split('\n').at(-1) ?? '') as {
      level: number;
      err: { message: string };
    };
  return { log, last };
}

test('an uncaught exception or rejection is logged as fatal', () => {
  const { log, last } = openLog();
  logFaults(log);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    const [first] = process.listeners(event as 'uncaughtException');
    assert.ok(first !== undefined);
    process.off(event, first);
    first(new Error(`thrown as ${event}`), 'uncaughtException');
    const line = last();
    assert.deepEqual([line.level, line.err.message], [60, `thrown as ${event}`]);
  }
});

test('an unrecoverable service logs the fault, and exits with the code for a restart', (context) => {
  const { log, last } = openLog();
  const exit = context.mock.method(app, 'exit', () => {});
  exitAfterFault(new Error('hopeless'), log);
  assert.deepEqual([last().level, last().err.message], [60, 'hopeless']);
  assert.deepEqual(
    exit.mock.calls.map(({ arguments: [code] }) => code),
    [1],
  );
});
