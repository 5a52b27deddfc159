import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import express from 'express';
import type { ReceivedForm } from '../../../../main/conversion/admission.ts';
import { receive } from '../../../../main/http/upload/receive.ts';
import { serve } from '../serving.ts';

const limits = {
  maxUpload: 1e6,
  uploadTimeout: 60_000,
  folder: { path: tmpdir },
  share: { add() {}, release() {} },
};

for (const type of ['multipart/form-data; boundary=b', 'application/x-www-form-urlencoded'])
  test(
    `a partial body is reported as incomplete if the client disconnects before the service reads it: ${type}`,
    { timeout: 5000 },
    async () => {
      let resolveReceived: (received: ReceivedForm) => void = () => undefined;
      const received = new Promise<ReceivedForm>((resolve) => (resolveReceived = resolve));
      const app = express();
      app.post('/', async (request, response) => {
        await new Promise((resolve) => request.once('close', resolve));
        resolveReceived(await receive(request, response, limits));
      });
      await using at = await serve(app);
      const socket = connect(at.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n--b`);
      await once(socket, 'connect');
      setImmediate(() => {
        socket.destroySoon();
      });
      assert.match((await received).problem?.message ?? '', /is incomplete/);
    },
  );

test(
  'a complete body is reported as incomplete if the client disconnects before the service reads it',
  { timeout: 5000 },
  async () => {
    let resolveReceived: (received: ReceivedForm) => void = () => undefined;
    const received = new Promise<ReceivedForm>((resolve) => (resolveReceived = resolve));
    const app = express();
    app.post('/', async (request, response) => {
      await new Promise((resolve) => request.once('close', resolve));
      assert.equal(request.complete, true);
      resolveReceived(await receive(request, response, limits));
    });
    await using at = await serve(app);
    const socket = connect(at.port, '127.0.0.1');
    const form = '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nx\r\n--b--\r\n';
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
    );
    await once(socket, 'connect');
    setImmediate(() => {
      socket.destroySoon();
    });
    assert.match((await received).problem?.message ?? '', /is incomplete/);
  },
);

/** Returns the response to a form: the names of its fields, or the message of the problem. */
async function responseTo(type: string, body: string): Promise<string> {
  const app = express();
  const folder = mkdtempSync(join(tmpdir(), 'platen-receive-'));
  app.post('/', async (request, response) => {
    const { form, problem } = await receive(request, response, { ...limits, folder: { path: () => folder } });
    response.send(problem?.message ?? form.fields.map(({ name }) => name).join());
  });
  await using at = await serve(app);
  const answer = await fetch(`http://127.0.0.1:${at.port}/`, {
    method: 'POST',
    body,
    headers: { 'content-type': type },
  });
  rmSync(folder, { recursive: true });
  return await answer.text();
}

const urlencoded = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=b';
const part = (disposition: string, headers = '') =>
  `--b\r\ncontent-disposition: form-data; ${disposition}\r\n${headers}\r\nx\r\n`;
const times = (count: number, make: (turn: number) => string, between = '') =>
  Array.from({ length: count }, (_, turn) => make(turn)).join(between);
const long = 'n'.repeat(201);

for (const [what, type, body, expectedMessage] of [
  [
    'too many fields in a long form',
    urlencoded,
    `${times(600, (turn) => `f${turn}=x`, '&')}&text=${'x'.repeat(900_000)}`,
    'The form has more than 500 fields; send fewer.',
  ],
  [
    'too many fields',
    urlencoded,
    times(501, (turn) => `f${turn}=x`, '&'),
    'The form has more than 500 fields; send fewer.',
  ],
  [
    'too many fields',
    multipart,
    `${times(501, (turn) => part(`name=f${turn}`))}--b--`,
    'The form has more than 500 fields; send fewer.',
  ],
  [
    'too many files',
    multipart,
    `${times(21, (turn) => part(`name=f${turn}; filename=a.html`))}--b--`,
    'The form has more than 20 files; send fewer.',
  ],
  [
    'a field name that is too long',
    urlencoded,
    `text=x&${long}=x`,
    'The name of a field is longer than 200 bytes; no parameter has such a name.',
  ],
  [
    'a field name that is too long',
    multipart,
    `${part(`name=${long}`)}--b--`,
    'The name of a field is longer than 200 bytes; no parameter has such a name.',
  ],
  [
    "a file's field name that is too long",
    multipart,
    `${part(`name=${long}; filename=a.html`)}--b--`,
    'The name of a field is longer than 200 bytes; no parameter has such a name.',
  ],
  [
    'a list index that is too large',
    multipart,
    `${part('name="a[4294967294]"')}--b--`,
    'The index in the name of a field is larger than 100; send fewer fields.',
  ],
  [
    'part headers that are too large',
    multipart,
    `${part('name=a', `x: ${'x'.repeat(20_000)}\r\n`)}--b--`,
    'The headers of a part are malformed, or larger than 16 kB.',
  ],
  [
    'part headers that contain the boundary',
    multipart,
    `--b\r\nx: y\r\n--b\r\ncontent-disposition: form-data; name=a; filename=a.html\r\n\r\n--x\r\n--b--`,
    'The body is not valid multipart/form-data: its boundary is missing, or it is incomplete.',
  ],
  [
    'a part without a name',
    multipart,
    `${part('filename=a.html')}--b--`,
    'A part of the form has no name; send each part with the name of a parameter.',
  ],
] as const)
  test(`an unusable form is refused with the reason: ${what}, ${type}`, { timeout: 20_000 }, async () => {
    assert.equal(await responseTo(type, body), expectedMessage);
  });

test('the service reads a form at its limits completely', async () => {
  const names = times(500, (turn) => `f${turn}`, ',');
  assert.equal(
    await responseTo(
      urlencoded,
      times(500, (turn) => `f${turn}=x`, '&'),
    ),
    names,
  );
  assert.equal(await responseTo(multipart, `${times(500, (turn) => part(`name=f${turn}`))}--b--`), names);
  assert.equal(await responseTo(multipart, `${part(`name=${'n'.repeat(200)}`)}--b--`), 'n'.repeat(200));
});

for (const [what, type, body] of [
  ['a body', `${urlencoded}; charset=nonsense`, 'text=x'],
  ['a field', multipart, `${part('name=text', 'content-type: text/plain; charset=nonsense\r\n')}--b--`],
  [
    'one of two fields',
    multipart,
    `${part('name=text')}${part('name=text', 'content-type: text/plain; charset=nonsense\r\n')}--b--`,
  ],
] as const)
  test(`${what} in an unknown character set is refused`, async () => {
    assert.match(await responseTo(type, body), /character set .*UTF-8/);
  });

test('the service refuses a content type that only begins like a form type', async () => {
  for (const type of [`${urlencoded}ed`, 'multipart/form-data-2; boundary=b', `${urlencoded}; x`])
    assert.match(await responseTo(type, 'text=x'), /^The content type is (malformed|')/);
});

/** Returns the number of files in a folder that this process has open. */
function openIn(folder: string): number {
  const open = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return '';
    }
  });
  return open.filter((file) => file.startsWith(folder)).length;
}

const linux =
  process.platform === 'linux' ? {} : { skip: 'the test lists open files in /proc, which only Linux has' };

test(
  'the service leaves no file open after it refused an upload in the middle of a file',
  { ...linux, timeout: 20_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'platen-receive-'));
    const app = express();
    let maximum = 0;
    app.post('/', async (request, response) => {
      let receivedCount = 0;
      const share = {
        release() {},
        add(bytes: number) {
          receivedCount += bytes;
          maximum = Math.max(maximum, openIn(folder));
          if (receivedCount > 300_000) throw new Error('no room');
        },
      };
      const { problem } = await receive(request, response, {
        ...limits,
        folder: { path: () => folder },
        share,
      });
      request.resume();
      response.send(problem?.message);
    });
    await using at = await serve(app);
    const body = `${part('name=file; filename=a.html').slice(0, -3)}${'x'.repeat(450_000)}\r\n--b--`;
    for (let turn = 0; turn < 5; turn += 1) {
      const answer = await fetch(`http://127.0.0.1:${at.port}/`, {
        method: 'POST',
        body,
        headers: { 'content-type': multipart },
      });
      assert.notEqual(await answer.text(), '');
    }
    assert.ok(maximum > 0, 'no file was open during the upload');
    while (openIn(folder) > 0) await new Promise((resolve) => setImmediate(resolve));
    rmSync(folder, { recursive: true });
  },
);

test(
  'only the fields of a multipart form count against the body budget, not its files',
  { timeout: 20_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'platen-receive-'));
    const app = express();
    app.post('/', async (request, response) => {
      let held = 0;
      const share = {
        add: (bytes: number) => void (held += bytes),
        release: (bytes: number) => void (held -= bytes),
      };
      const { form } = await receive(request, response, { ...limits, folder: { path: () => folder }, share });
      response.send(`${form.files[0]?.upload.size} ${held}`);
    });
    await using at = await serve(app);
    const body = `${part('name=file; filename=a.html').slice(0, -3)}${'x'.repeat(450_000)}\r\n${part('name=text').slice(0, -3)}${'y'.repeat(1000)}\r\n--b--`;
    const answer = await fetch(`http://127.0.0.1:${at.port}/`, {
      method: 'POST',
      body,
      headers: { 'content-type': multipart },
    });
    const [size, held] = (await answer.text()).split(' ').map(Number);
    assert.equal(size, 450_000);
    assert.equal(held, Buffer.byteLength(body) - 450_000);
    rmSync(folder, { recursive: true });
  },
);
