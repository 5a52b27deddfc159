/** Explanations in the debug log: stages, late content, options, layout, failures. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventsOf, type EventOf, type LogEvent } from '../../../main/log/events.ts';
import {
  htmlFile,
  send,
  type ConversionResponse,
  type Fields,
  type SendOptions,
} from '../../support/service/convert.ts';
import { pdfFacts, pdfText } from '../../support/output/pdf.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

/** A response and the debug log of its job. */
interface Explained extends ConversionResponse {
  readonly all: <K extends LogEvent['kind']>(kind: K) => EventOf<K>[];
  readonly only: <K extends LogEvent['kind']>(kind: K) => EventOf<K>;
  /** Returns why a stage ended; undefined if the log does not contain the stage. */
  readonly ended: (stage: string) => string | undefined;
  readonly note: (code: string) => EventOf<'note'> | undefined;
  readonly written: string;
}

async function explained(service: Service, fields: Fields, sending?: SendOptions): Promise<Explained> {
  const answer = await send(service, { ...fields, debug_log: true }, sending);
  const link = answer.headers.get('x-service-debug-log') ?? '';
  const response = await fetch(link, { headers: { accept: 'application/json' } });
  const written = await response.text();
  const { events } = JSON.parse(written) as { readonly events: readonly LogEvent[] };
  const all = <K extends LogEvent['kind']>(kind: K) => eventsOf(events, kind);
  return {
    ...answer,
    all,
    written,
    only(kind) {
      const [event, ...more] = all(kind);
      assert.ok(
        event !== undefined && more.length === 0,
        `one ${kind}, not ${more.length + Number(!!event)}`,
      );
      return event;
    },
    ended: (stage) => all('stage').find(({ text }) => text === stage)?.detail.ended,
    note: (code) => all('note').find(({ detail }) => detail.code === code),
  };
}

let service: Service;
before(async () => {
  const flags = ['--network-allow', '127.0.0.1,localhost', '--workers', '1'];
  service = await startService({ flags: [...flags, '--accounts', 'poor:key:0'] });
});
after(() => service[Symbol.asyncDispose]());

const settled = 'wait until the page has settled';

describe('the stages in the debug log', () => {
  test('include only stages that did something, and state why each wait ended', async () => {
    const log = await explained(service, { text: '<p>letter<link rel="stylesheet" href="data:text/css,">' });
    assert.deepEqual(
      log.all('stage').map(({ text }) => text),
      [
        'prepare input',
        'wait for a window',
        'set up the window',
        'load the page',
        'inject styles',
        'load fonts and images',
        'read the page rules',
        'examine the page',
        'take a screenshot of the page',
        'print',
        'examine the fonts',
        'finish the PDF',
      ],
    );
    assert.match(log.ended('wait for a window') ?? '', /^a window was free$|^the only window was/);
    assert.equal(log.ended('load the page'), 'the page and all its resources had loaded');
    assert.equal(log.ended('load fonts and images'), 'all fonts and images had loaded');
  });

  test('include no request for a document that was written into an empty page', async () => {
    const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=';
    const log = await explained(service, { text: `<p>letter<img src="${picture}">` });
    assert.match(log.ended('write the document') ?? '', /written into an empty page without a request/);
    assert.equal(log.ended('load the page'), undefined);
    const [request, ...others] = log.all('request');
    assert.match(request?.text ?? '', /^data:image/);
    assert.equal(request?.detail.initiator, 'document:1');
    assert.deepEqual(others, []);
    assert.equal(log.only('screenshot').detail.type, 'image/jpeg');
  });

  test('name the requested delay, element and cookies', async () => {
    // Late enough that the element is missing at the first look, also on a busy machine.
    await using web = await serveWeb({
      '/': '<p id="a">x</p><script>setTimeout(() => { a.className = "b" }, 1500)</script>',
    });
    const waitOptions = { javascript_delay: 20, wait_for_element: '.b', cookies: 'lang=english' };
    const log = await explained(service, { url: `${web.url}/`, ...waitOptions });
    assert.equal(log.ended(settled), 'javascript_delay (20 ms) was over');
    assert.match(log.ended('wait for wait_for_element') ?? '', /^'\.b' appeared after \d+ ms$/);
    assert.equal(log.ended('set the cookies'), '1 cookie set for 127.0.0.1');
    assert.equal(log.note('late-changes'), undefined);
  });
});

describe('content that arrives too late', () => {
  test('from a timer is reported with the location of the timer, and a delay that is long enough', async () => {
    const text = '<p>there</p>\n<script>setTimeout(() => document.body.append("late"), 700)</script>';
    const log = await explained(service, { text, settle_limit: 300 });
    assert.equal(pdfText(log.body), 'there');
    const note = log.note('late-changes');
    assert.match(note?.text ?? '', /A timer set in index\.html:2 was still due in \d+ ms/);
    const delay = /javascript_delay=(\d+)/.exec(note?.text ?? '')?.[1];
    assert.deepEqual(note?.detail.options, ['settle_limit', 'javascript_delay', 'wait_for_element']);
    const settledLater = await explained(service, { text, settle_limit: Number(delay) });
    assert.equal(pdfText(settledLater.body), 'there late');
    const waited = await explained(service, { text, javascript_delay: Number(delay) });
    assert.equal(pdfText(waited.body), 'there late');
    assert.equal(waited.note('late-changes'), undefined);
    const cleared = '<script>clearTimeout(setTimeout(() => {}, 700)); setTimeout(() => {}, 0)</script>x';
    assert.equal((await explained(service, { text: cleared })).note('late-changes'), undefined);
  });

  test('from a timer of custom_javascript is reported with the advice to end the script with a promise', async () => {
    const log = await explained(service, { text: 'x', custom_javascript: 'setTimeout(() => {}, 9000)' });
    assert.match(log.note('late-changes')?.text ?? '', /end custom_javascript with a promise/);
    assert.deepEqual(log.note('late-changes')?.detail.options, ['custom_javascript']);
  });

  test('from the network is reported with its URL', async () => {
    await using web = await serveWeb({ '/data.json': () => {} });
    const log = await explained(service, { text: `<p>x<script>fetch('${web.url}/data.json')</script>` });
    assert.match(log.ended(settled) ?? '', new RegExp(`waited for ${web.url}/data.json$`));
    assert.ok(log.note('late-resources')?.text.includes(`${web.url}/data.json.`));
    assert.deepEqual(log.note('late-resources')?.detail.options, [
      'settle_limit',
      'javascript_delay',
      'wait_for_element',
      'max_loading_time',
    ]);
  });

  test('because of max_loading_time is reported with its URL', async () => {
    await using web = await serveWeb({ '/never.png': () => {} });
    const text = `<p>there<img src="${web.url}/never.png">`;
    const log = await explained(service, { text, max_loading_time: 1 });
    assert.ok(log.ended('load the page')?.includes(`still pending: ${web.url}/never.png`));
    assert.deepEqual(log.note('late-resources')?.detail.options, ['max_loading_time']);
  });

  test('because of settle_limit is reported with the option that waits longer', async () => {
    await using web = await serveWeb({ '/slow.json': () => {} });
    const text = `<p>Loading...<script>fetch('${web.url}/slow.json')</script>`;
    const log = await explained(service, { text, settle_limit: 900 });
    const note = log.note('not-quiet');
    assert.match(note?.text ?? '', /limit 900 ms.*slow\.json/);
    assert.ok(note?.detail.options?.includes('settle_limit'));
  });
});

describe('a page that never stops animating gets one note, which names the changing element', () => {
  const pages = {
    'a text': {
      html: '<p id="clock">0<script>const draw = () => { clock.firstChild.data++ }',
      pattern: /animation frames that change the page \(.*p#clock/,
    },
    'a 2D drawing': {
      html: `<canvas id="clock"></canvas><script>let n = 0; const context = clock.getContext('2d');
      const draw = () => { context.fillRect(n++, 0, 9, 9) }`,
      pattern: /animation frames that change the page \(.*canvas#clock/,
    },
    'a WebGL drawing': {
      html: `<canvas id="clock"></canvas><script>let n = 0; const gl = clock.getContext('webgl2');
      const draw = () => { gl.clearColor(n++ % 2, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT) }`,
      pattern: /animation frames that change the page \(.*canvas#clock/,
    },
  };
  for (const [what, { html, pattern }] of Object.entries(pages))
    test(what, async () => {
      const text = `${html}; const step = () => { draw(); requestAnimationFrame(step) }; step()</script>`;
      const log = await explained(service, { text });
      assert.match(log.note('endless-activity')?.text ?? '', pattern);
      assert.equal(log.headers.get('x-service-notes'), '1');
      assert.equal((await send(service, { text })).headers.get('x-service-notes'), '1');
    });
});

test('a blank document gets a note if the page has visible content', async () => {
  const text = '<p style="position: absolute; left: -5000px">beyond';
  const log = await explained(service, { text });
  assert.match(log.note('blank-output')?.text ?? '', /the text "beyond"/);
  assert.equal(log.headers.get('x-service-notes'), '1');
  const empty = await explained(service, { text: '<style>html { display: none }</style><p>nothing' });
  assert.match(empty.note('blank-output')?.text ?? '', /so is the web page on screen/);
});

test('a heading far to the left of all pages is not reported as split by a page break', async () => {
  const text =
    '<h1>A</h1><p style="break-before: page">B</p><h2 style="position: absolute; left: -9999px">Skip</h2>';
  const log = await explained(service, { text });
  assert.deepEqual(log.all('breaks'), []);
});

describe('the options in the debug log', () => {
  test('are listed with their sources', async () => {
    const log = await explained(service, { text: '<p>x', margin_top: '1CM', viewport_width: 700 });
    const { input, options } = log.only('options').detail;
    assert.equal(input, 'text');
    const shown = new Map(options.map(({ name, value, from }) => [name, `${from} ${value}`]));
    assert.equal(shown.get('text'), 'request (4 characters)');
    assert.equal(shown.get('margin_top'), 'request 1CM');
    assert.equal(shown.get('margin_left'), 'default 0.4in');
    assert.equal(shown.get('content_viewport_width'), 'request 700');
    assert.deepEqual(log.note('older-option')?.detail.options, ['content_viewport_width']);
    const sent = await explained(service, { file: htmlFile('<p>x', 'Rechnung ü.html') });
    const shownFile = sent.only('options').detail.options.find(({ name }) => name === 'file');
    assert.deepEqual(shownFile, { name: 'file', value: 'Rechnung ü.html (4 bytes)', from: 'request' });
  });

  test('never show secret values, not even in part', async () => {
    const echo = `<script>document.write('<img src="/echo?' + document.cookie + '">'); console.log(document.cookie, location.href)</script>`;
    await using web = await serveWeb({ '/': `<p>x</p>${echo}`, '/echo': '' });
    const url = `${web.url.replace('//', '//marker0user:marker0pass@')}/?token=marker0token`;
    const log = await explained(service, {
      url,
      cookies: 'id=marker1cookie; other=marker2 cookie',
      user_password: 'marker3password',
      custom_http_header: 'Authorization: Bearer marker4header',
      owner_password: 'marker5password',
      http_auth_user_name: 'marker6name',
      http_auth_password: 'marker7password',
    });
    assert.equal(log.status, 200);
    assert.equal(web.headersOf('/echo')?.cookie?.includes('marker1cookie'), true);
    assert.doesNotMatch(log.written, /marker\d/);
    assert.match(log.written, /\*\*\*/);
    const failing = { text: 'x', http_proxy: 'http://me:marker8@127.0.0.1:1', cookies: 'marker9' };
    assert.doesNotMatch((await explained(service, failing)).written, /marker\d/);
    assert.doesNotMatch(service.log(), /marker[\d]/);
  });

  test('that have no effect are listed by name', async () => {
    const log = await explained(service, { text: 'x', layout_dpi: 300, screenshot_width: 500 });
    const idle = log.all('note').filter(({ detail }) => detail.code === 'option-without-effect');
    assert.deepEqual(
      idle.map(({ detail }) => detail.options),
      [['layout_dpi'], ['screenshot_width']],
    );
    assert.equal(log.headers.get('x-service-notes'), '2');
  });
});

describe('the debug log', () => {
  test('describes the layout of a PDF with viewport, media, scale, paper and margins', async () => {
    const more = { page_width: '5in', page_height: '6in', margin_top: '1in', use_print_media: true };
    const { detail, text } = (await explained(service, { text: 'x', ...more })).only('layout');
    assert.match(text, /^Laid out 1024 px wide, print scale 0\.394, paper 5\.00 x 6\.00 in\.$/);
    assert.deepEqual(
      [detail.media, detail.paper, detail.viewport.width],
      ['print', { width: 5, height: 6 }, 1024],
    );
    assert.deepEqual(detail.margins, { top: 1, right: 0.4, bottom: 0.4, left: 0.4 });
    assert.ok(Math.abs(detail.scale - (4.2 * 96) / 1024) < 0.001);
  });

  test('describes the layout of an image with its size', async () => {
    const more = { output_format: 'png', screenshot_width: 300, scale_factor: 200, screenshot_height: 100 };
    const log = await explained(service, { text: 'x', ...more });
    const { image, scale, viewport } = log.only('layout').detail;
    assert.deepEqual([image, scale, viewport.width], [{ width: 600, height: 200 }, 2, 300]);
    assert.equal(log.only('sizes').detail.total, log.body.length);
  });

  test('names the blank pages that were removed', async () => {
    const text = '<p>one</p><div style="break-before:page"></div><p style="break-before:page">three</p>';
    const log = await explained(service, { text, remove_blank_pages: 'all' });
    assert.equal(pdfFacts(log.body).pages, 2);
    assert.match(log.note('blank-pages-removed')?.text ?? '', /\b2\b/);
  });

  test('names a header that is taller than its area, and content that covers it', async () => {
    const header_html = '<body style="margin:0"><div style="height:1in">x</div></body>';
    const tall = (await explained(service, { text: 'x', header_html })).only('header-footer').detail;
    assert.deepEqual([tall.side, tall.place, Math.round(tall.content * 100)], ['header', 0.5, 100]);
    const fitting = await explained(service, { text: 'x', header_html, header_height: '1in' });
    assert.deepEqual([fitting.all('header-footer'), fitting.note('header-footer-overlaps')], [[], undefined]);
    const over = { text: 'x', header_html, header_height: '1in', content_area_y: '-0.3in' };
    assert.match(
      (await explained(service, over)).note('header-footer-overlaps')?.text ?? '',
      /0\.30in inside the header/,
    );
  });
});

test('the debug log breaks down the size of a PDF by fonts and images, encrypted or not', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>';
  const noise = `<canvas id="c" width="200" height="100"></canvas><script>
    const g = c.getContext('2d'); const d = g.createImageData(200, 100);
    for (let i = 0; i < d.data.length; i++) d.data[i] = i % 4 === 3 ? 255 : (i * 7919 * (i % 251)) % 256;
    g.putImageData(d, 0, 0)</script>`;
  for (const more of [{}, { encrypt: true, linearize: true }]) {
    const log = await explained(service, { text: `<p>text${svg}${noise}`, ...more });
    const { total, fonts, images, rest, largest } = log.only('sizes').detail;
    assert.equal(total, log.body.length);
    assert.equal(fonts + images + rest, total);
    assert.ok(images > 5000 && fonts > 1000);
    assert.equal(largest[0]?.what, 'image 200 x 100');
    assert.ok(largest.some(({ what }) => /^font \S/.test(what) || (what === 'font' && 'encrypt' in more)));
  }
});

describe('a failed job', () => {
  test('has a debug log with the reason and the stage of the failure', async () => {
    const cases = [
      [{ text: 'x', page_size: 'A9' }, 311, 'start'],
      [{ page_size: 'A4' }, 301, 'start'],
      [{ text: 'x', custom_javascript: 'throw 1' }, 327, 'run custom_javascript'],
      [{ text: 'x', element_to_convert: '#none' }, 324, 'cut to the element to convert'],
      [{ url: 'http://169.254.169.254/' }, 322, 'load the page'],
    ] as const;
    for (const [fields, reason, stage] of cases) {
      const log = await explained(service, fields);
      const { detail } = log.only('failure');
      assert.deepEqual([detail.reason, detail.stage], [reason, stage]);
      assert.equal(log.only('end').detail.outcome, 'failed');
    }
    const authorization = `Basic ${btoa('poor:key')}`;
    const poor = await explained(service, { text: 'x' }, { authorization });
    assert.deepEqual([poor.status, poor.only('failure').detail.reason], [403, 105]);
  });
});
