import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { htmlFile, send, type Fields } from '../../support/service/convert.ts';
import { waitForStderr } from '../../support/service/wait-for-log.ts';
import { basic } from '../../support/service/job-record.ts';
import { electronOf } from '../../support/service/processes.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { zip } from '../../support/archives/zip-writer.ts';
import { waitUntil } from '../../support/wait-until.ts';

const ann = basic('ann');
const skip = process.platform === 'linux' ? false : 'the test needs prlimit, which only Linux has';

/** Jobs that start a subprocess, which needs file descriptors. */
const needy: readonly Fields[] = [
  {
    file: htmlFile(Uint8Array.from(zip([{ name: 'index.html', contents: 'hello' }])), 'pages.zip'),
  },
  { text: '{{a}}', data_string: '{"a": "word"}' },
];

/** Waits until the service is idle, and limits its open files to the current number plus `more`. */
async function limit(service: Service, more: number): Promise<void> {
  const pid = electronOf(service);
  const open = () => readdirSync(`/proc/${pid}/fd`).length;
  let openFiles = open();
  let same = 0;
  // Shortly after the response, the last files of the job are closed, and its window opens files again.
  while (same < 20) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    same = open() === openFiles ? same + 1 : 0;
    openFiles = open();
  }
  openFiles += more;
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${openFiles}:`]);
}

test('a job without free file descriptors fails with 503.503, and succeeds later', { skip }, async () => {
  await using service = await startService({ flags: ['--accounts', 'ann:key:100'] });
  const pid = electronOf(service);
  assert.equal((await send(service, { text: 'x' }, { authorization: ann })).status, 200);
  await limit(service, 2);
  for (const fields of needy) {
    const { body, headers } = await send(service, fields, { authorization: ann });
    assert.match(body.toString(), /^503\.503 - The service cannot write or open its files/);
    assert.equal(headers.get('retry-after'), '5');
  }
  assert.equal((await fetch(`${service.url}/health`)).status, 200);
  await limit(service, 500);
  for (const fields of needy) assert.equal((await send(service, fields, { authorization: ann })).status, 200);
  const last = await send(service, { text: 'x' }, { authorization: ann });
  assert.equal(last.headers.get('x-service-remaining-credits'), String(100 - 1 - needy.length - 1));
  assert.equal(electronOf(service), pid);
  const work = join(service.data, 'work');
  await waitUntil('the files of the jobs are deleted', () => readdirSync(work).length === 0);
});

test('clients that hold all connections do not block conversions', { skip }, async () => {
  await using service = await startService({
    flags: ['--accounts', 'ann:key'],
    wrapper: ['prlimit', '--nofile=200'],
  });
  const pid = electronOf(service);
  const connections = Array.from({ length: 300 }, () => hold(service));
  await Promise.all(connections.map(({ settled }) => settled));
  for (const fields of needy) assert.equal((await send(service, fields, { authorization: ann })).status, 200);
  assert.equal((await fetch(`${service.url}/ready`)).status, 200);
  assert.equal(electronOf(service), pid);
  await waitForStderr(service, /open file limit of this process is too low for the setting connections/);
  for (const { socket } of connections) socket.destroy();
});

/** Sends a part of a request. `settled` resolves when the part is sent or the connection is closed. */
function hold({ url }: Service): { readonly socket: Socket; readonly settled: Promise<unknown> } {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  const settled = new Promise((resolve) => {
    socket.once('close', resolve);
    socket.write('GET /health HTTP/1.1\r\nHost: x\r\n', resolve);
  });
  return { socket, settled };
}
