/**
 * A document does nothing while a later job uses its window, whichever way it came in and whatever the later job changes in the
 * window. PLATEN_TEST_ROUNDS=20 repeats the test.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { send, type ConversionResponse, type Fields } from '../../support/service/convert.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { serveWeb, type WebServer } from '../../support/servers/web-server.ts';
import { changingOptions } from './previous-document/later-jobs.ts';
import { earlierDocuments, pagesAtAddress } from '../../support/hostile/reacting-documents.ts';

const rounds = Number(process.env.PLATEN_TEST_ROUNDS ?? 2);
const mark = 'EARLIERMARK';
const earlierAccount = `Basic ${Buffer.from('earlier:key').toString('base64')}`;
const laterAccount = `Basic ${Buffer.from('later:key').toString('base64')}`;

/** What a job sends with its requests, and what is in its document. */
function secretsOf(name: string): Fields {
  return {
    cookies: `session=${name}-cookie`,
    custom_http_header: `X-Secret: ${name}-header`,
    http_auth_user_name: `${name}-user`,
    http_auth_password: `${name}-password`,
  };
}

const laterSecrets = /LATER-(cookie|header|user|password|body)|TEFURVItdXNlcjpMQVRFUi1wYXNzd29yZA/;
const earlierSecrets = /EARLIER-(cookie|header|user|password)|RUFSTElFUi11c2VyOkVBUkxJRVItcGFzc3dvcmQ/;

/** A server that records all that it receives. */
class RecordingServer {
  readonly received: string[] = [];
  readonly #asksForPassword: boolean;
  #web: WebServer | undefined;
  #pages: Readonly<Record<string, string>> = {};

  constructor({ asksForPassword }: { readonly asksForPassword: boolean }) {
    this.#asksForPassword = asksForPassword;
  }

  async open(): Promise<void> {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request, response);
    };
    this.#web = await serveWeb(
      new Proxy({}, { get: () => answer, getOwnPropertyDescriptor: () => property }),
    );
    this.#web.onUpgrade((_request, socket) => socket.destroy());
  }

  get url(): string {
    return this.#web?.url ?? '';
  }

  paths(): string[] {
    return this.received.map((request) => request.split('\n')[0] ?? '');
  }

  serve(pages: Readonly<Record<string, string>>): void {
    this.#pages = pages;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#web?.[Symbol.asyncDispose]();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '', rawHeaders } = request;
    const index = this.received.push([url, ...rawHeaders].join('\n')) - 1;
    request.on('data', (chunk: Buffer) => {
      this.received[index] = `${this.received[index] ?? ''}\n${chunk.toString('latin1')}`;
    });
    const page = this.#pages[url.slice(1)];
    if (this.#asksForPassword && page === undefined && request.headers.authorization === undefined)
      response.setHeader('www-authenticate', 'Basic realm="x"').writeHead(401).end();
    else response.setHeader('content-type', 'text/html').end(page ?? 'x');
  }
}

const property = { configurable: true, enumerable: true, value: undefined };

let service: Service;
const attacker = new RecordingServer({ asksForPassword: true });
const own = new RecordingServer({ asksForPassword: false });
before(async () => {
  await attacker.open();
  await own.open();
  attacker.serve(pagesAtAddress(mark, address));
  service = await startService({
    flags: [
      '--accounts',
      'earlier:key,later:key',
      '--workers',
      '1',
      '--log-format',
      'json',
      '--network-allow',
      '127.0.0.1',
      '--demo',
      'off',
    ],
  });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await attacker[Symbol.asyncDispose]();
  await own[Symbol.asyncDispose]();
});

const address = (name: string) => `${attacker.url}/${name}`;

/** The documents of later jobs: the first is written into the open page, the second has requests. */
const laterTexts = () => [
  '<!doctype html><title>later</title><p>LATER-body',
  `<!doctype html><title>later</title><p>LATER-body <img src="${own.url}/image" alt=""><link rel="stylesheet" href="${own.url}/style">`,
];

async function convertEarlier(fields: Fields): Promise<void> {
  const answer = await send(
    service,
    { max_loading_time: 5, wait_until: 'loaded', ...secretsOf('EARLIER'), ...fields },
    { authorization: earlierAccount },
  );
  assert.equal(answer.status, 200, answer.body.toString());
}

const isRecorded = (variant: number) => variant >= 2;

/** `variant`: 0 to 3, selects the document, and whether a debug log is recorded. */
async function convertLater(fields: Fields, variant: number): Promise<ConversionResponse> {
  const text = laterTexts()[variant % 2] ?? '';
  const answer = await send(
    service,
    { ...secretsOf('LATER'), text, debug_log: isRecorded(variant), ...fields },
    { authorization: laterAccount },
  );
  assert.equal(answer.status, 200, answer.body.toString());
  return answer;
}

/** Asserts that nothing of the earlier document is in the output, the headers and the debug log of the later job. */
async function assertUntouched(answer: ConversionResponse, notes: string | null): Promise<void> {
  const log = await readDebugLog(answer);
  const isPdf = answer.body.toString('latin1', 0, 5) === '%PDF-';
  const shown = [isPdf ? pdfText(answer.body) : '', JSON.stringify([...answer.headers]), log.html];
  for (const text of [...shown, JSON.stringify([log.findings, log.events])]) {
    assert.ok(!text.includes(mark), `the earlier document is in ${text.slice(0, 300)}`);
    assert.ok(!text.includes(attacker.url), `the earlier server is in ${text.slice(0, 300)}`);
  }
  assert.equal(answer.headers.get('x-service-notes'), notes, JSON.stringify(log.findings));
}

describe('A document does nothing during a later job', { timeout: 600_000 * rounds }, () => {
  /** By option and later document: the number of notes if no document was earlier in the window. */
  const notes = new Map<string, string | null>();
  before(async () => {
    for (const [option, fields] of Object.entries(changingOptions))
      for (const variant of [2, 3]) {
        const answer = await convertLater(fields, variant);
        notes.set(`${option} ${variant}`, answer.headers.get('x-service-notes'));
      }
  });

  for (const way of Object.keys(earlierDocuments('', String)))
    test(`after ${way}`, async () => {
      for (let round = 0; round < rounds; round += 1)
        for (const [index, [option, fields]] of Object.entries(changingOptions).entries()) {
          const variant = (round + index) % 4;
          const { fields: earlier, isQuiet } = earlierDocuments(mark, address)[way] ?? assert.fail();
          attacker.received.length = 0;
          own.received.length = 0;
          await convertEarlier(earlier);
          if (isQuiet) assert.deepEqual(attacker.paths(), [], 'the document is not quiet');
          const answer = await convertLater(fields, variant);
          if (isRecorded(variant)) await assertUntouched(answer, notes.get(`${option} ${variant}`) ?? null);
          if (isQuiet) assert.deepEqual(attacker.paths(), [], `requests during a job with ${option}`);
          for (const request of attacker.received) assert.doesNotMatch(request, laterSecrets, option);
          for (const request of own.received) assert.doesNotMatch(request, earlierSecrets, option);
        }
    });

  test('although the windows were cleaned, not replaced, and no metric names the document', async () => {
    assert.doesNotMatch(service.log(), /"why":"not cleaned|could not be cleaned|"level":[56]0/);
    const metrics = await fetch(`${service.url}/metrics`, { headers: { authorization: laterAccount } });
    const text = await metrics.text();
    assert.ok(!text.includes(mark) && !text.includes(attacker.url));
  });
});
