import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import {
  collectGarbage,
  printContents,
  printMethod,
  schemeMethod,
  serveScheme,
  type PdfSettings,
  type PrintableContents,
  type SchemeProtocol,
  type SchemeResponse,
} from '../../../../main/engine/window/electron-adapter.ts';

const settings: PdfSettings = {
  paper: { width: 8, height: 11 },
  margins: { top: 1, right: 2, bottom: 3, left: 4 },
  scale: 0.5,
  printBackground: true,
  generateTaggedPDF: true,
  generateDocumentOutline: false,
};

interface Print {
  readonly method: 'public' | 'private';
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Returns a WebContents that records its prints. Every version of Electron so far has the private method. */
function fakeContents(hasPrivateMethod: boolean) {
  const prints: Print[] = [];
  const record = (method: Print['method']) => (given: object) => {
    prints.push({ method, settings: { ...given } });
    return Promise.resolve(Buffer.from(method));
  };
  const contents: PrintableContents = {
    printToPDF: record('public'),
    ...(hasPrivateMethod && { _printToPDF: record('private') }),
  };
  return { contents, prints };
}

/** Requests an address from a fake protocol, as Chromium does. Returns the response in the form that both methods share. */
type FakeRequest = (url: string) => Promise<readonly [status: number, type: string | null, body: string]>;

function fakeProtocol(hasStreams: boolean): {
  readonly protocol: SchemeProtocol;
  readonly request: () => FakeRequest;
} {
  let request: FakeRequest = () => Promise.reject(new Error('no scheme is served'));
  const headers = { Accept: '*/*' };
  const protocol = {
    handle(_scheme: string, handler: (request: Request) => Promise<Response>) {
      request = async (url) => {
        const response = await handler(new Request(url, { headers }));
        return [response.status, response.headers.get('content-type'), await response.text()];
      };
    },
    ...(hasStreams && {
      registerStreamProtocol(_scheme: string, handler: StreamHandler) {
        request = (url) =>
          new Promise((resolve, reject) => {
            handler({ url, headers }, ({ error, statusCode = 0, headers: given, data }) => {
              if (error !== undefined) reject(new Error(`error ${error}`));
              else if (data !== undefined)
                void text(data).then((body) => {
                  resolve([statusCode, given?.['content-type'] ?? null, body]);
                });
            });
          });
        return true;
      },
    }),
  } as unknown as SchemeProtocol;
  return { protocol, request: () => request };
}

type StreamHandler = (
  request: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  reply: (response: {
    readonly error?: number;
    readonly statusCode?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly data?: Readable;
  }) => void,
) => void;

const privateVersions = ['33.2.1', '34.5.8', '39.8.10', '40.9.2', '41.2.2'];
const publicVersions = [
  '40.9.3',
  '40.10.6',
  '41.3.0',
  '42.0.0',
  '43.4.1',
  '45.0.0-nightly.20260821',
  '45.4.1',
  '50.0.0',
];

test('versions whose printToPDF does not recover from a failed print use the private method', () => {
  const { contents } = fakeContents(true);
  for (const version of privateVersions) assert.equal(printMethod(contents, version), 'private', version);
});

test('versions whose printToPDF recovers use it', () => {
  const { contents } = fakeContents(true);
  for (const version of publicVersions) assert.equal(printMethod(contents, version), 'public', version);
});

test('printToPDF is used if the private method is missing or the version is unknown', () => {
  assert.equal(printMethod(fakeContents(false).contents, '33.2.1'), 'public');
  assert.equal(printMethod(fakeContents(false).contents, 'unknown'), 'public');
});

test('Electron 33 gets the settings under the names of the private method, each print with another number', async () => {
  const { contents, prints } = fakeContents(true);
  await printContents(contents, settings, '33.2.1');
  await printContents(contents, settings, '33.2.1');
  const [first, second] = prints;
  assert.deepEqual([first?.method, second?.method], ['private', 'private']);
  const { requestID, ...given } = first?.settings ?? {};
  assert.equal(typeof requestID, 'number');
  assert.notEqual(requestID, second?.settings.requestID);
  assert.deepEqual(given, {
    landscape: false,
    displayHeaderFooter: false,
    headerTemplate: '',
    footerTemplate: '',
    printBackground: true,
    scale: 0.5,
    paperWidth: 8,
    paperHeight: 11,
    marginTop: 1,
    marginRight: 2,
    marginBottom: 3,
    marginLeft: 4,
    pageRanges: '',
    preferCSSPageSize: true,
    generateTaggedPDF: true,
    generateDocumentOutline: false,
  });
});

test('Electron 45 gets the options of printToPDF', async () => {
  const { contents, prints } = fakeContents(true);
  await printContents(contents, settings, '45.4.1');
  const { paper, ...others } = settings;
  assert.deepEqual(prints, [
    { method: 'public', settings: { ...others, pageSize: paper, preferCSSPageSize: true } },
  ]);
});

test('the garbage collector is run, and is not exposed afterwards', () => {
  collectGarbage();
  assert.throws(() => {
    runInNewContext('gc');
  }, /gc is not defined/);
});

test('a version that does not expose the garbage collector causes an ordinary error', () => {
  assert.throws(() => {
    collectGarbage(() => undefined);
  }, /does not expose/);
  assert.throws(() => {
    collectGarbage(() => {
      throw new ReferenceError('gc is not defined');
    });
  }, /gc is not defined/);
  collectGarbage();
});

test('no other file uses private methods or events of Electron', () => {
  const folder = join(import.meta.dirname, '../../../../main');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const isPrivate = /\b_(send|printToPDF|sendInternal)\b|'-ipc-/;
  assert.deepEqual(
    files.filter((file) => isPrivate.test(readFileSync(join(folder, file), 'utf8'))),
    [join('engine', 'window', 'electron-adapter.ts')],
  );
});

for (const hasStreams of [true, false])
  test(`a scheme is served ${hasStreams ? 'with registerStreamProtocol' : 'with handle if there is nothing else'}`, async () => {
    const { protocol, request } = fakeProtocol(hasStreams);
    assert.equal(schemeMethod(protocol), hasStreams ? 'stream' : 'handle');
    const bodies: Readonly<Record<string, SchemeResponse['body']>> = {
      'job://bytes/': Buffer.from('<p>bytes'),
      'job://stream/': Readable.from([Buffer.from('<p>str'), Buffer.from('eam')]),
      'job://empty/': Buffer.alloc(0),
    };
    serveScheme(protocol, 'job', ({ url, headers }) => {
      const body = bodies[url];
      if (body === undefined) return Promise.reject(new Error('nothing'));
      assert.equal(Object.values(headers)[0], '*/*');
      return Promise.resolve({ status: 201, headers: { 'content-type': 'text/html' }, body });
    });
    assert.deepEqual(await request()('job://bytes/'), [201, 'text/html', '<p>bytes']);
    assert.deepEqual(await request()('job://stream/'), [201, 'text/html', '<p>stream']);
    assert.deepEqual(await request()('job://empty/'), [201, 'text/html', '']);
    await assert.rejects(request()('job://other/'));
  });
