import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { logFaults } from '../../main/app/lifecycle.ts';
import { openServiceLog } from '../../main/log/service-log.ts';

test('a fault that ends the service is in its log before anybody else hears of it', () => {
  const data = mkdtempSync(join(tmpdir(), 'platen-fault-'));
  const sizes = { 'log-file-size': 1e6, 'log-file-count': 2 };
  const log = openServiceLog(
    { data, 'log-level': 'info', 'log-format': undefined, 'log-file': 'platen.log', ...sizes },
    false,
  );
  logFaults(log);
  const read = () => readFileSync(join(data, 'platen.log'), 'utf8').trimEnd().split('\n');
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    const [first] = process.listeners(event as 'uncaughtException');
    assert.ok(first !== undefined);
    process.off(event, first);
    first(new Error(`thrown as ${event}`), 'uncaughtException');
    const line = JSON.parse(read().at(-1) ?? '') as { level: number; err: { message: string } };
    assert.deepEqual([line.level, line.err.message], [60, `thrown as ${event}`]);
  }
});
