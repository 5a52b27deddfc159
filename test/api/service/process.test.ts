import assert from 'node:assert/strict';
import { readdirSync, readFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ChildProcess } from 'node:child_process';
import { demo, send } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { readExposition } from '../../support/service/exposition.ts';
import { spawnPlaten, startService, temporaryFolder, type Service } from '../../support/service/service.ts';
import { takePort } from '../../support/servers/taken-port.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** Runs the command line until it exits. Returns its exit code and standard error. */
async function outcome(parameters: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child: ChildProcess = spawnPlaten(parameters, environment);
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, said: errors.trim() };
}

/** Sends the signal to the process group, as Ctrl-C in a terminal does. */
function signalGroup({ process: { pid = 0 } }: Service): void {
  process.kill(-pid, 'SIGINT');
}

/** The ways in which a service is stopped on this system. */
const stops: readonly (readonly [what: string, stop: (service: Service) => void])[] =
  process.platform === 'win32'
    ? [
        [
          'a stop request',
          (service) => {
            service.requestStop();
          },
        ],
      ]
    : [
        ['SIGTERM to the process', ({ process: launcher }) => launcher.kill('SIGTERM')],
        [
          'SIGINT to the whole process group, twice',
          (service) => {
            signalGroup(service);
            signalGroup(service);
          },
        ],
      ];

async function workOf(service: Service): Promise<{ working: number; waiting: number }> {
  const answer = await fetch(`${service.url}/metrics`, { headers: { authorization: demo } });
  const { sum } = readExposition(await answer.text());
  return { working: sum('platen_windows', { state: 'working' }), waiting: sum('platen_queue_length') };
}

/** A job that takes about a second and a half in its window. */
const slow = { text: '<script></script><p>slow', javascript_delay: 1500 };

describe('Starting and stopping the service:', () => {
  test('an unknown or malformed setting prevents the start with a one-line message and exit code 2', async () => {
    const cases: readonly (readonly [string[], Record<string, string>, RegExp])[] = [
      [['--prot', '9000'], {}, /--prot is not a known setting; did you mean --port\?/],
      [
        ['--port', 'high'],
        {},
        /--port: the value 'high' is not allowed; allowed: a whole number from 0 to 65535/,
      ],
      [['--workers'], {}, /--workers needs a value/],
      [
        [],
        { PLATEN_JOB_TIMOUT: '3' },
        /PLATEN_JOB_TIMOUT is not a known setting; did you mean PLATEN_JOB_TIMEOUT\?/,
      ],
      [
        [],
        { PLATEN_NETWORK: 'lan' },
        /PLATEN_NETWORK: the value 'lan' is not allowed; allowed: intranet, public, offline/,
      ],
      [['--accounts', 'only-a-name'], {}, /--accounts: the value is not allowed/],
    ];
    for (const [flags, environment, expected] of cases) {
      const { code, said } = await outcome(['serve', ...flags], environment);
      assert.equal(code, 2, said);
      assert.match(said, expected);
      assert.equal(said.split('\n').length, 1, said);
    }
  });

  test('config.json in the data folder specifies settings, and an error in the file prevents the start', async () => {
    const data = temporaryFolder();
    writeFileSync(join(data, 'config.json'), '{"accounts": ["file:key"], "demo": "off"}');
    await using service = await startService({ data });
    const authorization = `Basic ${Buffer.from('file:key').toString('base64')}`;
    assert.equal((await send(service, { text: 'x' }, { authorization })).status, 200);
    assert.equal((await send(service, { text: 'x' })).status, 401);
    const broken = temporaryFolder();
    writeFileSync(join(broken, 'config.json'), '{"port": [}');
    const { code, said } = await outcome(['serve', '--data', broken]);
    assert.equal(code, 2);
    assert.match(said, /config\.json is not valid JSON/);
    rmSync(broken, { recursive: true });
  });

  test('a data folder in use prevents a second start with exit code 1, and the message names the process', async () => {
    const service = await defaultService();
    assert.equal(Number(readFileSync(join(service.data, 'platen.pid'), 'utf8')), service.process.pid);
    const { code, said } = await outcome(['serve', '--port', '0', '--data', service.data]);
    assert.equal(code, 1);
    assert.ok(said.endsWith(`${service.data} is already in use by process ${service.process.pid}.`), said);
    assert.equal((await send(service, { text: 'x' })).status, 200);
  });

  test('a data folder that cannot be used prevents the start, with the reason and exit code 1', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    for (const data of [join(folder, 'file'), join(folder, 'file', 'below')]) {
      const { code, said } = await outcome(['serve', '--data', data]);
      assert.equal(code, 1, said);
      assert.match(said, /the data folder .*file.* cannot be used: /);
    }
    rmSync(folder, { recursive: true });
  });

  test('a port in use prevents the start, with a message and exit code 1', async () => {
    await using taken = await takePort();
    const port = String(taken.port);
    const data = temporaryFolder();
    const { code, said } = await outcome(['serve', '--port', port, '--data', data]);
    assert.equal(code, 1);
    assert.match(said, new RegExp(`port ${port} on 127\\.0\\.0\\.1 is already in use`));
    assert.ok(!existsSync(join(data, 'platen.pid')));
    rmSync(data, { recursive: true });
  });

  for (const [what, stop] of stops) {
    test(`on ${what}, the service finishes running jobs, refuses queued jobs, and exits with code 0`, async () => {
      await using service = await startService({ flags: ['--workers', '1'] });
      const running = send(service, slow);
      await waitUntil('the first job runs', async () => (await workOf(service)).working === 1);
      const waiting = send(service, { text: 'x' });
      await waitUntil('the second job waits', async () => (await workOf(service)).waiting === 1);
      const ended = new Promise((resolve) => service.process.once('exit', resolve));
      stop(service);
      assert.match((await waiting).body.toString(), /^503\.503 - /);
      assert.equal((await running).status, 200);
      assert.equal(await ended, 0);
      assert.ok(!existsSync(join(service.data, 'platen.pid')));
    });
  }

  test('a job whose template is still being filled at shutdown gets an error', async () => {
    await using service = await startService();
    // Takes seconds, which is longer than the shutdown waits for requests without a running job.
    const text =
      '{% for i in range(6000) %}{% for j in range(1000) %}{% if i == j %}{% endif %}{% endfor %}{% endfor %}done';
    const filling = send(service, { text, data_file: new File(['{"a":1}'], 'data.json') });
    const work = join(service.data, 'work');
    await waitUntil('the job has files', () => readdirSync(work).length > 0);
    const ended = new Promise((resolve) => service.process.once('exit', resolve));
    service.requestStop();
    assert.match((await filling).body.toString(), /^(400\.313|503\.503) - /);
    assert.equal(await ended, 0);
  });

  const noSignals =
    process.platform === 'win32' && 'Windows has no signals, and repeated stop requests count as one';
  test('a third signal ends the service immediately', { skip: noSignals }, async () => {
    await using service = await startService();
    const running = send(service, { text: '<script>for(;;);</script>' }).catch(() => 'cut');
    await waitUntil('the job runs', async () => (await workOf(service)).working === 1);
    const ended = new Promise((resolve) => service.process.once('exit', resolve));
    for (let n = 0; n < 3; n += 1) {
      // The launcher counts signals within 100 ms as one, and may handle them late on a busy machine.
      if (n > 0) await new Promise((resolve) => setTimeout(resolve, 1000));
      service.process.kill('SIGTERM');
    }
    await ended;
    assert.equal(await running, 'cut');
  });
});

describe('The data folder of a killed service', () => {
  const data = temporaryFolder();
  let logPath = '';
  before(async () => {
    const killed = await startService({ data });
    const { headers } = await send(killed, { text: 'x', debug_log: true });
    logPath = new URL(headers.get('x-service-debug-log') ?? '').pathname;
    mkdirSync(join(data, 'work', 'left-behind'));
    killed.process.kill('SIGKILL');
    await new Promise((resolve) => killed.process.once('exit', resolve));
  });
  after(() => {
    rmSync(data, { recursive: true, force: true });
  });

  test('is taken over and cleaned by the next start, which keeps the debug logs', async () => {
    const next = await startService({ data });
    try {
      assert.equal((await send(next, { text: 'x' })).status, 200);
      assert.ok(!existsSync(join(data, 'work', 'left-behind')));
      assert.equal((await fetch(`${next.url}${logPath}`)).status, 200);
    } finally {
      await next.stop();
    }
  });

  test('loses debug logs older than debug-log-keep at the next start', async () => {
    await using later = await startService({ data, flags: ['--debug-log-keep', '1ms'] });
    assert.equal((await fetch(`${later.url}${logPath}`)).status, 404);
  });
});
