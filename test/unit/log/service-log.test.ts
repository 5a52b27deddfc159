import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { withJobFields, openServiceLog, type ServiceLog } from '../../../main/log/service-log.ts';

const defaultSettings = { 'log-level': 'info', 'log-file-size': 1e6, 'log-file-count': 2 } as const;

/** Runs the work with a new service log, and returns the contents of the log file. */
function written(format: 'json' | 'pretty' | undefined, work: (log: ServiceLog) => void): string {
  const data = mkdtempSync(join(tmpdir(), 'platen-log-'));
  const settings = { ...defaultSettings, data, 'log-file': join('logs', 'platen.log'), 'log-format': format };
  work(openServiceLog(settings, true));
  return readFileSync(join(data, 'logs', 'platen.log'), 'utf8');
}

const parsed = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the service log', () => {
  test('in a file has one JSON object per line, is in the data folder, and is written immediately', () => {
    const [line] = parsed(
      written(undefined, (log) => {
        log.info({ a: 1 }, 'hello');
      }),
    );
    assert.deepEqual([line?.a, line?.msg, line?.level], [1, 'hello', 30]);
    assert.match(String(line?.time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test('in a file can be human-readable, without colours', () => {
    const text = written('pretty', (log) => {
      log.warn({ a: 1 }, 'hello');
    });
    assert.match(text, /^\[\d\d:\d\d:\d\d\.\d{3}\] WARN: hello\n {4}a: 1\n$/);
  });

  test('contains the message, code and stack of an error', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const lines = parsed(
      written(undefined, (log) => {
        log.info({ cause }, 'a');
        log.info({ err: cause }, 'b');
      }),
    );
    for (const error of [lines[0]?.cause, lines[1]?.err] as Record<string, string>[]) {
      assert.deepEqual([error.message, error.code], ['connect ECONNREFUSED', 'ECONNREFUSED']);
      assert.match(error.stack ?? '', /service-log\.test\.ts/);
    }
  });

  test('has job, account and tag in every line about a job', () => {
    const lines = parsed(
      written(undefined, (log) => {
        withJobFields(log, { job: '1', account: 'anna', tag: 'letters' }).info('a');
        withJobFields(log, { job: '2', account: 'anna', tag: undefined }).info('b');
        log.info('c');
      }),
    );
    const names = lines.map((line) => ['job', 'account', 'tag'].map((name) => line[name]));
    assert.deepEqual(names, [
      ['1', 'anna', 'letters'],
      ['2', 'anna', undefined],
      [undefined, undefined, undefined],
    ]);
  });

  test('masks the credentials of URLs in its strings, and nothing else', () => {
    const sentences = [
      [
        "The value 'u:secret@proxy:80' of http_proxy is wrong.",
        "The value '***@proxy:80' of http_proxy is wrong.",
      ],
      ['(http://u:se%20cret@host/a?b=1&token=secret&c=2)', '(http://***@host/a?b=1&token=***&c=2)'],
      ['ftp://:secret@host "x:secret@y"', 'ftp://***@host "***@y"'],
      ['at file:///srv/node_modules/@img/sharp.js:12:7', 'at file:///srv/node_modules/@img/sharp.js:12:7'],
      ['write to anna@example.com: soon', 'write to anna@example.com: soon'],
    ] as const;
    const lines = parsed(
      written(undefined, (log) => {
        for (const [sentence] of sentences)
          log.info({ err: new Error(sentence), deep: [{ sentence }] }, sentence);
      }),
    );
    for (const [index, [, expected]] of sentences.entries()) {
      const { msg, err, deep } = lines[index] as { msg: string; err: { message: string }; deep: unknown };
      assert.deepEqual([msg, err.message, deep], [expected, expected, [{ sentence: expected }]]);
    }
  });
});
