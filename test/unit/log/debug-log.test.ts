import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DebugLog } from '../../../main/log/debug-log.ts';
import type { LogEvent } from '../../../main/log/events.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-log-'));
});
after(() => rm(folder, { recursive: true }));

let files = 0;

function record() {
  const path = join(folder, `${(files += 1)}.jsonl`);
  const stream = createWriteStream(path);
  stream.on('error', () => stream.destroy());
  const events = async () => {
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as LogEvent);
  };
  return { stream, log: new DebugLog({ id: 'x', stream }), events };
}

function tookOf(event: LogEvent | undefined): number | undefined {
  return event?.kind === 'stage' ? event.took : undefined;
}

describe('a stage', () => {
  test('is reported to its observer when it starts', async () => {
    const stages: string[] = [];
    const log = new DebugLog();
    log.onStageChange((stage) => void stages.push(stage));
    for (const stage of ['load', 'print', 'load'])
      await log.timeStage(stage, () => Promise.resolve(stages.push('at work')));
    assert.deepEqual(stages, ['load', 'at work', 'print', 'at work', 'load', 'at work']);
  });

  test('returns the result of its function and is logged with its duration', async () => {
    const { log, events } = record();
    assert.equal(await log.timeStage('load', () => Promise.resolve(5)), 5);
    await log.end('converted', { outcome: 'converted' });
    const [stage, end] = await events();
    assert.deepEqual(
      [stage?.kind, stage?.text, typeof tookOf(stage), end?.kind],
      ['stage', 'load', 'number', 'end'],
    );
    assert.ok((stage?.at ?? -1) >= (tookOf(stage) ?? 0) - 0.1);
    assert.deepEqual(Object.keys(log.durations), ['load']);
  });

  test('that fails is logged, and rejects with the error of its function', async () => {
    const { log, events } = record();
    await assert.rejects(
      log.timeStage('print', () => Promise.reject(new Error('no'))),
      /no/,
    );
    await log.end('failed', { outcome: 'failed' });
    assert.equal((await events())[0]?.text, 'print');
  });

  test('that fails is marked as failed, unless a reason for its end was set', async () => {
    const { log, events } = record();
    const cutOff = (reason?: string) =>
      log.timeStage('wait', () => {
        if (reason !== undefined) log.setStageReason(reason);
        return Promise.reject(new Error('cut off'));
      });
    await assert.rejects(cutOff());
    await assert.rejects(cutOff('all windows were taken'));
    await log.timeStage('print', () => Promise.resolve());
    await log.end('failed', { outcome: 'failed' });
    assert.deepEqual(
      (await events()).slice(0, 3).map(({ detail }) => detail),
      [{ ended: 'not finished: it failed or was aborted' }, { ended: 'all windows were taken' }, {}],
    );
  });

  test('is the current stage of the log while its function runs', async () => {
    const log = new DebugLog();
    assert.equal(log.stage, 'start');
    await log.timeStage('load', () => {
      assert.equal(log.stage, 'load');
      return Promise.resolve();
    });
  });

  test('that is repeated has the sum of its durations', async () => {
    const { log, events } = record();
    for (const _time of [1, 2])
      await log.timeStage('load', () => new Promise((resolve) => setTimeout(resolve, 5)));
    await log.end('converted', { outcome: 'converted' });
    const both = (await events()).map((event) => tookOf(event) ?? 0).reduce((sum, took) => sum + took);
    assert.ok(Math.abs((log.durations.load ?? 0) - both) < 0.2);
  });

  test('is timed without a debug log', async () => {
    const log = new DebugLog();
    await log.timeStage('load', () => Promise.resolve());
    assert.ok((log.durations.load ?? -1) >= 0);
  });
});

test('text with line breaks is one event', async () => {
  const { log, events } = record();
  log.note('one\ntwo\u2028three\0"');
  await log.end('converted', { outcome: 'converted' });
  assert.deepEqual(
    (await events()).map(({ text }) => text),
    ['one\ntwo\u2028three\0"', 'converted'],
  );
});

test('a log of 10,500 console messages contains the first 10,000, a note about the limit, and the end', async () => {
  const { log, events } = record();
  for (let index = 0; index < 10_500; index += 1)
    log.write({ kind: 'console', text: String(index), detail: { level: 'info', source: 'a.js', line: 1 } });
  await log.end('converted', { outcome: 'converted' });
  const all = await events();
  const [message, note, end] = all.slice(-3);
  assert.deepEqual([message?.text, note?.kind, end?.text], ['9999', 'note', 'converted']);
  assert.match(note?.text ?? '', /^The log reached its limit/);
  assert.equal(all.length, 10_002);
});

test('a log of long console messages stops at 10 MB, with a note about the limit', async () => {
  const { log, events } = record();
  const text = 'x'.repeat(10_000);
  for (let index = 0; index < 5000; index += 1)
    log.write({ kind: 'console', text, detail: { level: 'info', source: 'a.js', line: 1 } });
  await log.end('converted', { outcome: 'converted' });
  const all = await events();
  assert.ok(JSON.stringify(all).length < 10_100_000);
  assert.match(all.at(-2)?.text ?? '', /^The log reached its limit/);
});

test('a log with too many secrets contains one note about them, and masks the whole text of every later note', async () => {
  const { log, events } = record();
  log.hide(Array.from({ length: 500 }, (_, index) => `value${index}`));
  log.hide(['another']);
  log.note('the page says value450', { code: 'script-error' });
  await log.timeStage('load', () => Promise.resolve());
  await log.end('converted', { outcome: 'converted' });
  assert.deepEqual(
    (await events()).map(({ kind, text }) => [kind, text.slice(0, 19)]),
    [
      ['note', 'This job has more s'],
      ['note', '***'],
      ['stage', 'load'],
      ['end', 'converted'],
    ],
  );
  assert.equal(log.masked('anything'), '***');
});

test('a secret value is masked in notes, URLs and headers; a value of three characters is not', async () => {
  const { log, events } = record();
  log.hide(['s3cret"\n', 'abc']);
  log.note('the page says s3cret"\n and abc');
  log.write({
    kind: 'request',
    text: 'http://a/?x=s3cret"\n',
    detail: { requestHeaders: [{ name: 'x', value: 's3cret"\n' }] },
  });
  await log.end('converted', { outcome: 'converted' });
  const recorded = JSON.stringify(await events());
  assert.doesNotMatch(recorded, /s3cret/);
  assert.match(recorded, /the page says \*\*\* and abc/);
});

test('the reason that was set during a stage is logged with that stage only', async () => {
  const { log, events } = record();
  await log.timeStage('wait', () => {
    log.setStageReason('it was quiet');
    return Promise.resolve();
  });
  await log.timeStage('print', () => Promise.resolve());
  await log.end('converted', { outcome: 'converted' });
  const [wait, print] = await events();
  assert.deepEqual([wait?.detail, print?.detail], [{ ended: 'it was quiet' }, {}]);
});

test('stages and the end are written even after the log has reached its limit', async () => {
  const { log, events } = record();
  for (let index = 0; index < 10_500; index += 1) log.note(String(index));
  await log.timeStage('print', () => Promise.resolve());
  await log.end('converted', { outcome: 'converted' });
  assert.deepEqual(
    (await events()).slice(-2).map(({ kind }) => kind),
    ['stage', 'end'],
  );
});

test('a log that can no longer be written does not fail the job', { timeout: 5000 }, async () => {
  const { log, stream } = record();
  stream.destroy(new Error('ENOSPC'));
  log.note('x');
  assert.equal(await log.timeStage('load', () => Promise.resolve(5)), 5);
  await log.end('converted', { outcome: 'converted' });
});

test('events after the end are ignored', async () => {
  const { log, events } = record();
  await log.end('converted', { outcome: 'converted' });
  log.note('late');
  await new Promise(setImmediate);
  assert.deepEqual(
    (await events()).map(({ text }) => text),
    ['converted'],
  );
});

test('a note replaces an event of more than a megabyte, but not a screenshot', async () => {
  const { log, events } = record();
  const long = 'x'.repeat(1_100_000);
  const size = { width: 8, height: 8 };
  const image = { url: long, element: 'img', problem: 'broken', natural: size, shown: size } as const;
  log.write({ kind: 'images', text: 'pictures', detail: { images: [image] } });
  log.write({ kind: 'screenshot', text: 'the window', detail: { type: 'image/png', data: long, ...size } });
  await log.end('converted', { outcome: 'converted' });
  assert.deepEqual(
    (await events()).map(({ kind, text }) => [kind, text]),
    [
      ['note', "An event of the kind 'images' was too long to be logged: over 1 MB."],
      ['screenshot', 'the window'],
      ['end', 'converted'],
    ],
  );
});
