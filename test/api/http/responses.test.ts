import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { htmlFile, refusal, send, type Fields } from '../../support/service/convert.ts';
import { waitForStderr } from '../../support/service/wait-for-log.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';

const basic = (user: string, key: string) => `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;

/** Waits for the job's line in the service log, which may arrive after the response. */
async function loggedLine(service: Service, headers: Headers): Promise<{ tag?: string }> {
  const job = headers.get('x-service-job-id') ?? '';
  for (;;) {
    const line = service
      .log()
      .split('\n')
      .slice(0, -1)
      .find((candidate) => candidate.includes(`"job":"${job}"`));
    if (line !== undefined) return JSON.parse(line) as { tag?: string };
    if (service.process.stderr !== null) await once(service.process.stderr, 'data');
  }
}

describe('Responses:', () => {
  let service: Service;
  const accounts = 'ann:secret:3,poor:key:0,rich:key';
  before(
    async () =>
      (service = await startService({
        flags: ['--max-upload', '1MB', '--alias', 'acme', '--accounts', accounts, '--job-timeout', '3'],
      })),
  );
  after(() => service[Symbol.asyncDispose]());

  test('a successful response has all headers with both prefixes, and numbers are integers', async () => {
    const { status, headers, body } = await send(
      service,
      { text: '<p>one<p style="break-before:page">two' },
      { authorization: basic('ann', 'secret') },
    );
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/pdf');
    assert.equal(headers.get('content-length'), String(body.length));
    for (const prefix of ['x-service', 'x-acme']) {
      const facts = Object.fromEntries(
        ['pages', 'total-pages', 'output-size', 'consumed-credits', 'remaining-credits', 'reason-code'].map(
          (name) => [name, headers.get(`${prefix}-${name}`)],
        ),
      );
      assert.deepEqual(facts, {
        pages: '2',
        'total-pages': '2',
        'output-size': String(body.length),
        'consumed-credits': '1',
        'remaining-credits': '2',
        'reason-code': '0',
      });
      assert.match(headers.get(`${prefix}-job-id`) ?? '', /^[0-9a-z]{26}$/);
      assert.equal(headers.get(`${prefix}-debug-log`), null);
    }
  });

  test('each response to a conversion has the digest of its body, also an error', async () => {
    for (const fields of [{ text: 'x' }, { text: 'x', page_size: 'A99' }]) {
      const { headers, body } = await send(service, fields, { authorization: basic('rich', 'key') });
      const digest = createHash('sha256').update(body).digest('base64');
      assert.equal(headers.get('repr-digest'), `sha-256=:${digest}:`);
    }
  });

  test('the response to an unlimited account has no header for remaining credits', async () => {
    const { headers } = await send(service, { text: 'x' }, { authorization: basic('rich', 'key') });
    assert.equal(headers.get('x-service-remaining-credits'), null);
    assert.equal(headers.get('x-service-consumed-credits'), '1');
  });

  test('an account without credits gets 403.105, and a failed job costs nothing', async () => {
    const poor = await send(service, { text: 'x' }, { authorization: basic('poor', 'key') });
    assert.match(poor.body.toString(), /^403\.105 - /);
    const before = await send(service, { text: 'x' }, { authorization: basic('ann', 'secret') });
    await send(
      service,
      { text: 'x', custom_javascript: 'throw 1' },
      { authorization: basic('ann', 'secret') },
    );
    const after = await send(service, { text: 'x' }, { authorization: basic('ann', 'secret') });
    assert.equal(
      Number(after.headers.get('x-service-remaining-credits')),
      Number(before.headers.get('x-service-remaining-credits')) - 1,
    );
  });

  test('an error response is text, or JSON with errfmt=json, and its headers contain the reason and the job id', async () => {
    const plain = await send(service, { text: 'x', page_size: 'A9' });
    assert.equal(plain.status, 400);
    assert.match(plain.body.toString(), /^400\.311 - .*'A9' of page_size .*\bA0, .*, Ledger\.$/);
    assert.match(plain.headers.get('content-type') ?? '', /^text\/plain/);
    assert.equal(plain.headers.get('x-service-reason-code'), '311');
    assert.equal(plain.headers.get('x-acme-reason-code'), '311');
    assert.match(plain.headers.get('x-service-job-id') ?? '', /^[0-9a-z]{26}$/);
    const json = await send(service, { text: 'x', page_size: 'A9' }, { query: '?errfmt=JSON' });
    assert.deepEqual(Object.keys(JSON.parse(json.body.toString()) as object), [
      'status_code',
      'reason_code',
      'message',
    ]);
    assert.match(json.headers.get('content-type') ?? '', /^application\/json/);
  });

  test('an error lists all problems, and suggests the nearest name for an unknown one', async () => {
    const message = await refusal(service, {
      text: 'x',
      page_sise: 'A4',
      marginTop: '1in',
      margin_left: '5',
      scale_factor: 'big',
      javascript_delay: '2500',
    });
    assert.match(message, /^400\.303 - 'page_sise' is not a known parameter; did you mean page_size\?/);
    assert.match(message, /'marginTop'.*did you mean margin_top\?/);
    assert.match(
      message,
      /'5' of margin_left.*'big' of scale_factor.*'2500' of javascript_delay.*at most 2000/,
    );
  });

  test('margins that leave no space fail with 400.311 and a message that contains the remedy', async () => {
    assert.match(
      await refusal(service, { text: 'x', margin_left: '5in', margin_right: '5in' }),
      /^400\.311 - margin_left and margin_right .*8\.27in.* smaller/,
    );
  });

  test('a job with an endless script fails at the job timeout with 400.323, and the next job succeeds', async () => {
    assert.match(
      await refusal(service, { text: '<script>for(;;);</script>' }),
      /^400\.323 - .*3 s was reached in the stage "load the page"/,
    );
    assert.match(
      await refusal(service, { text: '<p>x', custom_javascript: 'for(;;);' }),
      /^400\.323 - .*"run custom_javascript"/,
    );
    assert.equal((await send(service, { text: '<script>1</script>x' })).status, 200);
  });

  test('a failed job has a debug log if requested', async () => {
    for (const fields of [
      { text: 'x', custom_javascript: 'throw 1' },
      { text: 'x', page_size: 'A9' },
    ] as const) {
      const { headers } = await send(service, { ...fields, debug_log: '1' });
      const log = await (await fetch(headers.get('x-service-debug-log') ?? '')).text();
      assert.match(log, /<strong>Failed 400\.\d+<\/strong>/);
    }
  });

  test('a job leaves no files in the data folder', async () => {
    await send(service, { file: htmlFile('<p>x') });
    await send(service, { file: htmlFile('') });
    assert.deepEqual(readdirSync(join(service.data, 'work')), []);
  });

  test('a caller who disconnects frees the window and is not charged', async () => {
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort();
    }, 300);
    const before = await send(service, { text: 'x' });
    await assert.rejects(send(service, { text: '<script>for(;;);</script>' }, { signal: controller.signal }));
    await waitForStderr(service, /the caller disconnected/);
    // Polls, because the reserved credits are released shortly after the caller disconnects.
    let paid = 0;
    let left = Number(before.headers.get('x-service-remaining-credits'));
    const balance = left;
    do {
      const { headers } = await send(service, { text: 'x' });
      [paid, left] = [paid + 1, Number(headers.get('x-service-remaining-credits'))];
    } while (left !== balance - paid && paid < 20);
    assert.equal(left, balance - paid);
  });

  test('a response is a download named by output_name, or shown inline with content_disposition=inline', async () => {
    const dispositionOf = async (fields: Fields) => {
      const { headers } = await send(service, { text: 'x', ...fields });
      return headers.get('content-disposition');
    };
    assert.equal(await dispositionOf({}), 'attachment; filename="document.pdf"');
    assert.equal(
      await dispositionOf({ output_name: 'a/Übersicht.pdf', content_disposition: 'INLINE' }),
      `inline; filename="a_Ubersicht.pdf"; filename*=UTF-8''a_%C3%9Cbersicht.pdf`,
    );
    assert.equal(await dispositionOf({ output_format: 'webp' }), 'attachment; filename="image.webp"');
    assert.equal(await dispositionOf({ page_size: 'A9' }), null);
  });

  test('input_format accepts only html, in any case', async () => {
    assert.equal((await send(service, { text: 'x', input_format: 'HTML' })).status, 200);
    assert.match(
      await refusal(service, { text: 'x', input_format: 'pdf' }),
      /^400\.311 - .*'pdf' of input_format .*\bhtml\b/,
    );
  });

  test('x-service-notes counts the notes about a request, and the debug log lists them', async () => {
    const fields = { text: 'x', layout_dpi: 300, screenshot_width: 500, debug_log: true };
    const { headers } = await send(service, fields);
    assert.equal(headers.get('x-service-notes'), '2');
    assert.equal(headers.get('x-acme-notes'), '2');
    const log = await (await fetch(headers.get('x-service-debug-log') ?? '')).text();
    assert.match(log, /layout_dpi has no effect: .*exact/);
    assert.match(log, /screenshot_width has no effect on output_format=pdf/);
    assert.equal((await send(service, { text: 'x' })).headers.get('x-service-notes'), '0');
    const failed = await send(service, { text: 'x', layout_dpi: 300, custom_javascript: 'throw 1' });
    assert.equal(failed.status, 400);
    assert.equal(failed.headers.get('x-service-notes'), '1');
  });

  test('a tag appears in the service log and the debug log, also for a failed job', async () => {
    const tag = 'quarterly reports of the northmost branch';
    const { headers } = await send(service, { text: 'x', tag, debug_log: true });
    assert.equal((await loggedLine(service, headers)).tag, tag.slice(0, 32));
    const log = await (await fetch(headers.get('x-service-debug-log') ?? '')).text();
    assert.match(log, /tag.*quarterly reports of the northmo\b/);
    const failed = await send(service, { text: 'x', page_size: 'A9', tag: 'wrong' });
    assert.equal((await loggedLine(service, failed.headers)).tag, 'wrong');
  });

  test('with --alias acme, the class acme-remove removes an element', async () => {
    const { body } = await send(service, { text: '<p>seen</p><p class="acme-remove">not</p>' });
    assert.equal(pdfText(body).trim(), 'seen');
  });
});
