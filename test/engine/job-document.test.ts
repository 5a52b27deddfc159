/** The response to a window that loads a document of its job. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { session as sessions } from 'electron';
import type { Source } from '../../main/input/source.ts';
import { openJobDocument } from '../../main/engine/requests/job-document.ts';
import '../support/service/engine.ts';

const source = {
  kind: 'document',
  contentType: 'text/html; charset=utf-8',
  path: 'index.html',
  bytes: Buffer.from('<p>'),
  scripts: false,
  headerFooter: {},
} as const satisfies Source;

test('a long document is served identically on each request', async () => {
  const session = sessions.fromPartition(randomUUID());
  const text = Array.from({ length: 400_000 }, (_, line) => `${line} ř\n`).join('');
  const address = openJobDocument(session).serve({ ...source, bytes: Buffer.from(text) });
  // The second request is like that of a job that is retried after it lost its window.
  for (const answer of [await session.fetch(address), await session.fetch(address)])
    assert.ok((await answer.text()) === text);
});

test('at most 100 files are open until their responses are read or aborted, and later requests wait', async () => {
  const session = sessions.fromPartition(randomUUID());
  const size = 2_000_000;
  let open = 0;
  let longest = 0;
  const files = () => {
    open += 1;
    longest = Math.max(longest, open);
    const body = Readable.from([Buffer.alloc(size / 2), Buffer.alloc(size / 2)]).once(
      'close',
      () => (open -= 1),
    );
    return Promise.resolve({ contentType: 'text/plain', size, body });
  };
  const address = openJobDocument(session).serve({ ...source, files });
  const controller = new AbortController();
  const request = (signal: AbortSignal | null) =>
    session.fetch(new URL('file.txt', address).href, { signal });
  const unread = Array.from({ length: 300 }, () => request(controller.signal).catch(() => undefined));
  await Promise.all(unread.slice(0, 100));
  const waiting = Array.from({ length: 20 }, () => request(null));
  // The document itself does not wait.
  assert.equal((await session.fetch(address)).status, 200);
  controller.abort();
  for (const answer of waiting) assert.equal((await (await answer).arrayBuffer()).byteLength, size);
  await Promise.all(unread);
  assert.deepEqual({ open, longest }, { open: 0, longest: 100 });
});

test('a file in memory is held until its response is read', async () => {
  const session = sessions.fromPartition(randomUUID());
  const body = Buffer.alloc(900_000);
  let opened = 0;
  const files = () => {
    opened += 1;
    return Promise.resolve({ contentType: 'text/plain', size: body.length, body });
  };
  const address = openJobDocument(session).serve({ ...source, files });
  const controller = new AbortController();
  const requests = Array.from({ length: 130 }, () =>
    session.fetch(new URL('file.txt', address).href, { signal: controller.signal }),
  );
  await Promise.all(requests.slice(0, 100));
  // A request that is not limited has been answered after those that could have been.
  await session.fetch(address);
  assert.equal(opened, 100);
  const read = requests.slice(0, 30).map(async (request) => (await (await request).arrayBuffer()).byteLength);
  assert.deepEqual(new Set(await Promise.all(read)), new Set([body.length]));
  await Promise.all(requests);
  assert.equal(opened, 130);
  controller.abort();
});
