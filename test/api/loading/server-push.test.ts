/** Pages whose content a server sends through WebSockets and event streams, with default options. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { defaultService } from '../../support/service/default-service.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { send, type ConversionResponse } from '../../support/service/convert.ts';
import { serveWeb, type Routes } from '../../support/servers/web-server.ts';
import { acceptWebSocket, sendText } from '../../support/servers/web-socket.ts';
import type { Service } from '../../support/service/service.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

/** A text, or a pause in milliseconds. */
type Steps = readonly (string | number)[];

/** Sends the texts, with pauses. */
function play(steps: Steps, write: (text: string) => void): void {
  let at = 0;
  for (const step of steps)
    if (typeof step === 'number') at += step;
    else setTimeout(write, at, step);
}

const page = (code: string) =>
  `<p>Revenue <b id="p">0</b><i id="state"></i><script>const show = (text) => { p.textContent = text };
   const socket = () => new WebSocket('ws://' + location.host + '/socket');${code}</script>`;

/**
 * Converts a page. The server plays `opening` when a WebSocket or event stream has opened, and `reply` when the page has sent something
 * through the WebSocket.
 */
async function sendPage(
  code: string,
  { opening = [], reply = [] }: { readonly opening?: Steps; readonly reply?: Steps },
): Promise<ConversionResponse> {
  const events: Routes[string] = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
    play(opening, (text) => response.write(text));
  };
  await using web = await serveWeb({ '/': page(code), '/events': events });
  web.onUpgrade((request, duplex) => {
    acceptWebSocket(request, duplex);
    const write = (text: string) => {
      sendText(duplex, text);
    };
    play(opening, write);
    duplex.on('data', () => {
      play(reply, write);
    });
  });
  return await send(service, { url: web.url });
}

describe('a page shows', () => {
  const pages: Readonly<Record<string, readonly [code: string, Parameters<typeof sendPage>[1]]>> = {
    'the first message of a WebSocket': [
      'socket().onmessage = (event) => show(event.data)',
      { opening: [800, 'done'] },
    ],
    'the first message of an event stream': [
      `new EventSource('/events').onmessage = (event) => show(event.data)`,
      { opening: [800, 'data: done\n\n'] },
    ],
    'the first event with a name of an event stream': [
      `new EventSource('/events').addEventListener('figures', (event) => show(event.data))`,
      { opening: [800, 'event: figures\ndata: done\n\n'] },
    ],
    'the first event after one that only opened an event stream': [
      `const events = new EventSource('/events'); events.addEventListener('open-session', () => {});
       events.addEventListener('figures', (event) => show(event.data))`,
      { opening: ['event: open-session\ndata: 7\n\n', 800, 'event: figures\ndata: done\n\n'] },
    ],
    'the first event of a stream that it reads by fetch': [
      `fetch('/events').then(async (response) => { const reader = response.body.getReader(); let text = '';
       for (;;) { text += new TextDecoder().decode((await reader.read()).value); const found = /data: (.*)/.exec(text); if (found) show(found[1]) } })`,
      { opening: [900, 'data: done\n\n'] },
    ],
    'the first message of a WebSocket that it opens late': [
      'setTimeout(() => { socket().onmessage = (event) => show(event.data) }, 3000)',
      { opening: [800, 'done'] },
    ],
    'the message after a greeting that only its state shows': [
      `socket().onmessage = ({ data }) => { if (data.startsWith('{')) state.textContent = ' online'; else show(data) }`,
      { opening: ['{"type":"connected"}', 800, 'done'] },
    ],
    'all parts of a snapshot': [
      `let text = ''; socket().onmessage = (event) => show(text += event.data)`,
      { opening: [300, 'd', 100, 'o', 100, 'n', 100, 'e'] },
    ],
    'what it subscribes to after a handshake': [
      `const ws = socket(); ws.onopen = () => ws.send('init');
       ws.onmessage = ({ data }) => { if (data.includes('ack')) state.title ||= ws.send('subscribe') ?? 'asked'; else show(JSON.parse(data).figure) }`,
      { reply: ['{"type":"connection_ack"}', 800, '{"figure":"done"}'] },
    ],
    'the answers to several questions, asked one after another': [
      `const ws = socket(); let count = 0; ws.onopen = () => ws.send('ask');
       ws.onmessage = ({ data }) => { if (++count < 3) ws.send('ask'); else show(data) }`,
      { reply: [600, 'done'] },
    ],
  };
  for (const [what, [code, steps]] of Object.entries(pages))
    test(what, async () => {
      const answer = await sendPage(code, steps);
      assert.match(pdfText(answer.body), /^Revenue done( online)?$/);
    });
});

describe('x-service-note-codes says that a stream has delivered nothing:', () => {
  const streams: Readonly<Record<string, string>> = {
    'a WebSocket': 'socket().onmessage = (event) => show(event.data)',
    'an event stream': `new EventSource('/events').onmessage = (event) => show(event.data)`,
  };
  for (const [which, code] of Object.entries(streams))
    test(which, async () => {
      const answer = await sendPage(code, {});
      assert.equal(pdfText(answer.body), 'Revenue 0');
      assert.equal(answer.headers.get('x-service-note-codes'), 'endless-activity');
    });
});

describe('a page is converted before the settle limit', () => {
  const ticks = Array.from({ length: 200 }, () => ['tick', 100]).flat();

  test('although a server sends messages endlessly', async () => {
    const code = 'let count = 0; socket().onmessage = () => show(++count)';
    const answer = await sendPage(code, { opening: ticks });
    assert.equal(answer.headers.get('x-service-note-codes'), '');
  });

  test('although it asks endlessly', async () => {
    const code = `const ws = socket(); ws.onopen = () => ws.send('ask'); ws.onmessage = () => ws.send('ask')`;
    const answer = await sendPage(code, { reply: [50, 'answer'] });
    assert.equal(answer.headers.get('x-service-note-codes'), '');
  });
});
