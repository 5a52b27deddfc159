import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Source } from '../../main/input/source.ts';
import { makeCertificates } from '../support/servers/certificates.ts';
import { newRun, startEngine } from '../support/service/engine.ts';
import { descendants } from '../support/service/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-certificates-'));
after(() => {
  rmSync(folder, { recursive: true });
});

/** There is no server at the URL, because the certificate is checked first. */
const url = new URL('https://192.0.2.1/');
const source: Source = { kind: 'remote', url, scripts: true };

function runWith(bytes: Buffer, signal?: AbortSignal) {
  const path = join(folder, 'client.p12');
  writeFileSync(path, bytes);
  const options = {
    client_certificate: { path, name: 'client.p12', size: bytes.length },
    client_certificate_password: 'secret',
  };
  const run = newRun('', options, signal);
  return { ...run, job: { ...run.job, input: { kind: 'url' as const, url } } };
}

const running = () =>
  descendants(process.pid).filter((command) => command.includes('certificate-program')).length;

test('as many client certificates are opened at the same time as jobs may run, and none for a caller who has gone', async () => {
  await using engine = await startEngine({ workers: 1, queue: 20 });
  const { slowClient } = makeCertificates();
  const gone = new AbortController();
  const jobs = Array.from({ length: 8 }, () =>
    assert.rejects(
      engine.withWindow(runWith(slowClient, gone.signal), source, () => Promise.resolve()),
      /the caller has gone/,
    ),
  );
  while (running() === 0) await pause(5);
  for (let look = 0; look < 20; look += 1) {
    assert.ok(running() <= 1, `${running()} processes`);
    await pause(5);
  }
  gone.abort(new Error('the caller has gone'));
  await Promise.all(jobs);
  assert.equal(running(), 0);
});

test('a client certificate above 1 MB is refused without being read', async () => {
  await using engine = await startEngine();
  await assert.rejects(
    engine.withWindow(runWith(Buffer.alloc(1_000_001)), source, () => Promise.resolve()),
    { reason: 311, message: /client_certificate has 1000001 bytes/ },
  );
});
