import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { htmlFile, send, type ConversionResponse, type Fields } from '../../support/service/convert.ts';
import { basic, listJobs, waitForJobs } from '../../support/service/job-record.ts';
import { startService, temporaryFolder, type Service } from '../../support/service/service.ts';
import { mountSmallDisk, smallDiskSkipReason, type SmallDisk } from '../../support/service/small-disk.ts';
import { zip } from '../../support/archives/zip-writer.ts';
import { waitUntil } from '../../support/wait-until.ts';

const ann = basic('ann');
/** Returns a large document that shows only one word, so that its conversion is quick. */
const megabytes = (count: number) => `<p>word<!--${'x'.repeat(count * 1_000_000)}-->`;

/** Jobs that write more than 300 kB. */
const large: Readonly<Record<string, Fields>> = {
  'an upload': { file: htmlFile(megabytes(2)) },
  'long text': { text: megabytes(2) },
  'a short form with a long file': {
    file: htmlFile(Uint8Array.from(Buffer.from(megabytes(0.45)))),
    tag: 'short',
  },
  'an archive that grows': {
    file: htmlFile(
      Uint8Array.from(
        zip([
          { name: 'index.html', contents: 'hello' },
          { name: 'large.txt', contents: megabytes(2) },
        ]),
      ),
      'pages.zip',
    ),
  },
  'data for a template': { text: '{{#if a}}word{{/if}}', data_string: JSON.stringify({ a: megabytes(2) }) },
  'an image in pieces': image('png', 20_000),
  'an encoded image': image('bmp', 500),
};

function image(output_format: string, height: number): Fields {
  const text = `<body style="margin:0"><div style="height:${height}px;background:conic-gradient(red,blue,green)">`;
  return { text, output_format, screenshot_width: 900 };
}

function assertNoRoom({ body, headers }: ConversionResponse, what?: string): void {
  assert.match(body.toString(), /^503\.503 - The service cannot write or open its files /, what);
  assert.equal(headers.get('retry-after'), '5');
}

async function status(service: Service, path: string): Promise<readonly [number, unknown]> {
  const answer = await fetch(`${service.url}${path}`);
  return [answer.status, ((await answer.json()) as { reason?: unknown }).reason];
}

/** Polls until the status is `to`, and resolves with the reason. The service checks its disk every few seconds. */
async function waitForStatus(service: Service, path: string, to: number): Promise<unknown> {
  for (;;) {
    const [code, reason] = await status(service, path);
    if (code === to) return reason;
  }
}

/** Waits for the line about the failed job in the service log, and returns it. */
async function faultOf({ log }: Service, job: string): Promise<string> {
  const logged = () =>
    log()
      .split('\n')
      .find((line) => line.includes(job) && line.includes('"status":503'));
  await waitUntil('the failure is logged', () => logged() !== undefined);
  return logged() ?? '';
}

/** Waits until the work folder contains no files of jobs. */
async function workFolderIsEmpty(service: Service, ignored: readonly string[] = []): Promise<void> {
  await waitUntil('the work folder is empty', () =>
    readdirSync(join(service.data, 'work')).every((name) => ignored.includes(name)),
  );
}

describe('The service, if the disk for job files is full,', { skip: smallDiskSkipReason }, () => {
  let service: Service;
  let disk: SmallDisk;
  before(async () => {
    service = await startService({ flags: ['--accounts', 'ann:key:100'] });
    disk = mountSmallDisk(join(service.data, 'work'), 16);
  });
  after(async () => {
    await service.stop();
    disk[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
  });

  test('refuses a job with 503.503, without a charge or leftover files, and logs the reason', async () => {
    disk.fill(300_000);
    for (const [what, fields] of Object.entries(large)) {
      assertNoRoom(await send(service, fields, { authorization: ann }), what);
      await workFolderIsEmpty(service, ['ballast']);
      const [job] = await waitForJobs(service, ann, ([first]) => first?.outcome !== null);
      const { outcome, reason, consumed_credits } = job ?? {};
      assert.deepEqual([outcome, reason, consumed_credits], ['failed', 503, 0], what);
      assert.match(await faultOf(service, job?.id ?? ''), /ENOSPC|No space left/, what);
    }
    disk.empty();
    const next = await send(service, { text: 'x' }, { authorization: ann });
    assert.equal(next.headers.get('x-service-remaining-credits'), '99');
  });

  test('still converts a letter, because the job writes no files', async () => {
    disk.fill(0);
    const answer = await send(service, { text: 'x' }, { authorization: ann });
    assert.equal(answer.status, 200);
    disk.empty();
  });

  test('is alive but not ready until there is space', async () => {
    assert.equal(await waitForStatus(service, '/ready', 200), undefined);
    disk.fill(0);
    assert.match(String(await waitForStatus(service, '/ready', 503)), /data folder .*no space left/);
    assert.equal((await status(service, '/health'))[0], 200);
    disk.empty();
    await waitForStatus(service, '/ready', 200);
    for (const [what, fields] of Object.entries(large).slice(0, 5))
      assert.equal((await send(service, fields, { authorization: ann })).status, 200, what);
    await workFolderIsEmpty(service);
  });
});

describe('The service, if the disk for job records is full,', { skip: smallDiskSkipReason }, () => {
  let service: Service;
  let disk: SmallDisk;
  before(async () => {
    const data = temporaryFolder();
    disk = mountSmallDisk(data, 32);
    service = await startService({ data, flags: ['--accounts', 'ann:key:100'] });
  });
  after(async () => {
    await service.stop();
    disk[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
  });

  test('refuses jobs with 503.503, without a restart or lost credits', async () => {
    const first = await send(service, { text: 'x', debug_log: true }, { authorization: ann });
    assert.equal(first.headers.get('x-service-remaining-credits'), '99');
    disk.fill(0);
    for (const fields of [{ text: 'x' }, { text: 'x', debug_log: true }, ...Object.values(large)]) {
      const { status: code, body, headers } = await send(service, fields, { authorization: ann });
      // The job succeeds if the database file still has enough free space.
      if (code === 200) continue;
      assert.match(body.toString(), /^503\.503 - The service cannot write (or open its files|to its record)/);
      assert.equal(headers.get('retry-after'), '5');
    }
    assert.equal((await status(service, '/health'))[0], 200);
    await waitForStatus(service, '/ready', 503);
    disk.empty();
    await waitForStatus(service, '/ready', 200);
    await waitForJobs(service, ann, (jobs) => jobs.every(({ outcome }) => outcome !== null));
    const spent = (await listJobs(service, ann)).jobs.reduce((sum, job) => sum + job.consumed_credits, 0);
    const last = await send(service, { file: htmlFile('x'), debug_log: true }, { authorization: ann });
    assert.equal(last.headers.get('x-service-remaining-credits'), String(100 - spent - 1));
    assert.doesNotMatch(service.log(), /(is|was) restarted/);
    await workFolderIsEmpty(service);
  });
});
