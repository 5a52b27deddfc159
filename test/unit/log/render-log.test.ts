import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogEvent } from '../../../main/log/events.ts';
import { renderLog, type ConsoleLog } from '../../../main/log/render-log.ts';

const message = (n: number): LogEvent => ({
  at: n,
  kind: 'console',
  text: `${n} ${'x'.repeat(1000)}`,
  detail: { level: 'info', source: 'page.html', line: 1 },
});

function consoleLogOf(count: number): ConsoleLog {
  const events = Array.from({ length: count }, (_, n) => message(n));
  const lines = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const { body } = renderLog(lines, { format: 'console' });
  return JSON.parse(Buffer.from(body ?? []).toString()) as ConsoleLog;
}

test('the console gets all events of a short log', () => {
  assert.deepEqual(consoleLogOf(3).events, [message(0), message(1), message(2)]);
});

test('the console gets about a megabyte of a long log, and a note about the rest', () => {
  const { events } = consoleLogOf(9000);
  assert.ok(JSON.stringify(events).length < 1_010_000);
  assert.ok(events.length > 500);
  assert.match(events.at(-1)?.text ?? '', new RegExp(`first ${events.length - 1} of 9000`));
});
