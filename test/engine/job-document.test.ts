/** The response to a window that loads a document of its job. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { session as sessions } from 'electron';
import { openJobDocument } from '../../main/engine/requests/job-document.ts';
import '../support/service/engine.ts';

test('a long document is served identically on each request', async () => {
  const session = sessions.fromPartition(randomUUID());
  const text = Array.from({ length: 400_000 }, (_, line) => `${line} ř\n`).join('');
  const source = { kind: 'document', contentType: 'text/html; charset=utf-8', path: 'index.html' } as const;
  const address = openJobDocument(session).serve({
    ...source,
    bytes: Buffer.from(text),
    scripts: false,
    headerFooter: {},
  });
  // The second request is like that of a job that is retried after it lost its window.
  for (const answer of [await session.fetch(address), await session.fetch(address)])
    assert.ok((await answer.text()) === text);
});
