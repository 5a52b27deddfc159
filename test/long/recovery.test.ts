import assert from 'node:assert/strict';
import { once as onceEmitted } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { convert, send } from '../support/service/convert.ts';
import { readExposition } from '../support/service/exposition.ts';
import { basic, get, listJobs, waitForJobs } from '../support/service/job-record.ts';
import {
  waitForListening,
  waitForLogLine,
  waitForStderr,
  listeningUrls,
  logLines,
} from '../support/service/wait-for-log.ts';
import { groupMembers, waitForEmptyGroup, waitForGroupMember } from '../support/service/process-group.ts';
import { electronOf } from '../support/service/processes.ts';
import { spawnPlaten, startService, temporaryFolder, type Service } from '../support/service/service.ts';

/** A job that runs longer than any of these tests. */
const slow = { text: '<script></script>', javascript_delay: 39_000, tag: 'slow', debug_log: true };

const restarted = 'the service ended and is restarted';

const exitOf = (service: Service) => onceEmitted(service.process, 'exit').then(([code]) => code as unknown);

function kill(service: Service): number {
  const electron = electronOf(service);
  process.kill(electron, 'SIGKILL');
  return electron;
}

function xvfbOf({ process: { pid } }: Service): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const xvfb = children.find((child) => readFileSync(`/proc/${child}/comm`, 'utf8').startsWith('Xvfb'));
  if (xvfb === undefined) throw new Error('the service did not start an Xvfb');
  return xvfb;
}

/** Without a display, so that the service starts an X server. */
const noDisplay = { DISPLAY: '' };

describe('A service whose main process is killed', { skip: process.platform !== 'linux' }, () => {
  test('restarts at the same URL; running jobs are aborted and not charged', async () => {
    await using service = await startService({
      flags: ['--accounts', 'ann:key:3,bob:key', '--workers', '2'],
    });
    const cut = send(service, slow, { authorization: basic('ann') }).catch(() => 'cut');
    await waitForJobs(service, basic('ann'), ([job]) => job?.tag === 'slow' && job.debug_log !== null);
    const load = Array.from({ length: 6 }, () =>
      send(service, { text: 'x' }, { authorization: basic('bob') }).catch(() => 'cut'),
    );
    await Promise.race(load);
    const old = kill(service);
    assert.equal(await cut, 'cut');
    await Promise.all(load);

    await waitForListening(service, 2);
    assert.deepEqual(listeningUrls(service), [service.url, service.url]);
    assert.equal((await fetch(`${service.url}/ready`)).status, 200);
    const { status, headers } = await send(service, { text: 'x' }, { authorization: basic('ann') });
    assert.deepEqual([status, headers.get('x-service-remaining-credits')], [200, '2']);
    assert.equal(Number(readFileSync(join(service.data, 'platen.pid'), 'utf8')), service.process.pid);
    await waitForEmptyGroup(old);

    const job = (await listJobs(service, basic('ann'))).jobs.find(({ tag }) => tag === 'slow');
    assert.deepEqual([job?.outcome, job?.consumed_credits], ['interrupted', 0]);
    const log = await (await fetch(`${job?.debug_log}.json`)).text();
    assert.match(log, /the service ended during the job/);
  });

  test('records the restart in its log and metrics', async () => {
    await using service = await startService({ flags: ['--log-file', 'platen.log'] });
    kill(service);
    const { why, ms } = await waitForLogLine(service, ({ msg }) => msg === restarted);
    assert.deepEqual([why, ms], ['SIGKILL', 0]);
    await waitForListening(service, 2);
    assert.match(
      readFileSync(join(service.data, 'platen.log'), 'utf8'),
      /"why":"SIGKILL","restarts":1,"msg":"the service was restarted"/,
    );
    const metrics = readExposition(await (await get(service, '/metrics', basic('demo', 'demo'))).text());
    assert.equal(metrics.sum('platen_restarts_total'), 1);
  });

  test('restarts after increasing delays, and ends immediately on SIGTERM during a delay', async () => {
    await using service = await startService();
    kill(service);
    await waitForListening(service, 2);
    kill(service);
    await waitForListening(service, 3);
    await convert(service, { text: 'x' });
    kill(service);
    await waitForLogLine(service, ({ msg, ms }) => msg === restarted && ms === 2000);
    const ended = exitOf(service);
    service.process.kill('SIGTERM');
    assert.equal(await ended, 0);
    assert.deepEqual(
      logLines(service)
        .filter(({ msg }) => msg === restarted)
        .map(({ ms }) => ms),
      [0, 1000, 2000],
    );
    assert.equal(listeningUrls(service).length, 3);
    assert.ok(!readdirSync(service.data).includes('platen.pid'));
  });

  test('exits with code 1 and prints the cause if the setting restart is off', async () => {
    await using service = await startService({ flags: ['--restart', 'off'] });
    const ended = exitOf(service);
    const old = kill(service);
    assert.equal(await ended, 1);
    await waitForStderr(service, /^platen: the service ended: SIGKILL\.$/);
    assert.equal(listeningUrls(service).length, 1);
    await waitForEmptyGroup(old);
  });

  test('leaves no image encoder running', async () => {
    await using service = await startService();
    const cut = send(service, {
      text: '<style>body{margin:0;height:12000px;background:linear-gradient(45deg,red,blue,lime)}</style>',
      output_format: 'avif',
    }).catch(() => 'cut');
    const electron = electronOf(service);
    const encoder = await Promise.race([waitForGroupMember(electron, /image-encoder/), cut]);
    assert.ok(typeof encoder === 'object' && 'pid' in encoder, 'the encoder ended before the test found it');
    // A stopped encoder cannot end on its own.
    process.kill(encoder.pid, 'SIGSTOP');
    kill(service);
    assert.equal(await cut, 'cut');
    await waitForEmptyGroup(electron);
    await waitForListening(service, 2);
    assert.deepEqual(readdirSync(join(service.data, 'work')), []);
  });

  test('waits for its port if another program has taken it', async () => {
    await using service = await startService();
    const { pid = 0 } = service.process;
    process.kill(pid, 'SIGSTOP');
    const old = kill(service);
    const taker = await takePort(Number(new URL(service.url).port));
    process.kill(pid, 'SIGCONT');
    await waitForEmptyGroup(old);
    await waitForLogLine(service, ({ msg, why }) => msg === restarted && why === 'exit code 1');
    await waitForStderr(service, /^platen: port \d+ on 127\.0\.0\.1 is already in use/);
    await new Promise((resolve) => taker.close(resolve));
    await waitForListening(service, 2);
    await convert(service, { text: 'x' });
  });
});

/** Listens on the port, and retries until its previous owner has released it. */
async function takePort(port: number): Promise<Server> {
  for (;;) {
    const server = createServer();
    const outcome = Promise.race([onceEmitted(server, 'listening'), onceEmitted(server, 'error')]);
    server.listen(port, '127.0.0.1');
    const taken = await outcome.then(
      () => server.listening,
      () => false,
    );
    if (taken) return server;
  }
}

describe('A service', { skip: process.platform !== 'linux' }, () => {
  test('restarts with a new X server if its X server is killed', async () => {
    await using service = await startService({ environment: noDisplay });
    const xvfb = xvfbOf(service);
    const electron = electronOf(service);
    process.kill(xvfb, 'SIGKILL');
    const { why } = await waitForLogLine(service, ({ msg }) => msg === restarted);
    assert.match(String(why), /Xvfb.*SIGKILL/);
    await waitForListening(service, 2);
    await convert(service, { text: 'x' });
    assert.notEqual(xvfbOf(service), xvfb);
    await waitForEmptyGroup(electron);
  });

  test('that hangs is replaced, including its child processes', async () => {
    await using service = await startService({ flags: ['--hang-timeout', '5s'] });
    const electron = electronOf(service);
    process.kill(electron, 'SIGSTOP');
    const { why } = await waitForLogLine(service, ({ msg }) => msg === restarted);
    assert.match(String(why), /did not respond for 5 s/);
    await waitForListening(service, 2);
    await convert(service, { text: 'x' });
    await waitForEmptyGroup(electron);
    assert.ok(groupMembers(electronOf(service)).length > 0);
  });

  test('is not restarted if its first start fails', async () => {
    await using blocker = await startService();
    const data = temporaryFolder();
    const child = spawnPlaten(['serve', '--port', new URL(blocker.url).port, '--data', data]);
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await onceEmitted(child, 'close')) as [number | null];
    assert.equal(code, 1);
    assert.equal(output.match(/is already in use/g)?.length, 1, output);
    assert.doesNotMatch(output, /restarted/);
  });
});
