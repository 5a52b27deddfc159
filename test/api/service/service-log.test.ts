import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { htmlFile, send } from '../../support/service/convert.ts';
import { spawnPlaten, startService, temporaryFolder, type Service } from '../../support/service/service.ts';
import { takePort } from '../../support/servers/taken-port.ts';
import { waitForLogLine } from '../../support/service/wait-for-log.ts';

interface LogLine {
  readonly msg: string;
  readonly level: number;
  readonly job?: string;
  readonly account?: string;
  readonly tag?: string;
  readonly refusal?: Readonly<Record<string, unknown>>;
  readonly cause?: { readonly user?: string; readonly address?: string };
}

const read = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);

/** A page that requests an address that the network policy refuses. */
const curious = '<script></script><img src="http://127.0.0.1:8099/x.png">';

describe('The service log', () => {
  test('contains the job id in every line about a job', async () => {
    const service = await startService({ flags: ['--log-level', 'debug', '--job-timeout', '5s'] });
    const endless = { text: `${curious}<script>onload = () => { for(;;); }</script>`, tag: 'invoices' };
    const jobs: { id: string; expected: RegExp[] }[] = [];
    const sendJob = async (fields: Record<string, string>, patterns: RegExp[]) => {
      const { headers } = await send(service, fields);
      jobs.push({ id: headers.get('x-service-job-id') ?? '', expected: patterns });
    };
    await sendJob({ text: curious, tag: 'letters' }, [/^received/, /network policy refused/, /^converted/]);
    await sendJob({ nonsense: 'x' }, [/^received/, /not a known parameter/]);
    await sendJob(endless, [/^received/, /network policy refused/, /ran out of time/, /window is replaced/]);
    await sendJob({ text: '<p>x' }, [/^received/, /^converted/]);
    await service.stop();
    const lines = read(service.log());
    for (const { id, expected } of jobs) {
      const about = lines.filter(({ job }) => job === id);
      for (const pattern of expected)
        assert.equal(about.filter(({ msg }) => pattern.test(msg)).length, 1, `${id}: ${pattern}`);
      assert.equal(about.length, expected.length);
      assert.ok(about.every(({ account }) => account === 'demo'));
    }
    const others = lines.filter(({ job }) => job === undefined).map(({ msg }) => msg);
    for (const msg of others) assert.match(msg, /^(runtime|Electron|running as root|stopping)/);
    rmSync(service.data, { recursive: true, force: true });
  });

  test('contains no keys, passwords, cookies or contents of a job, whether it succeeds or fails', async () => {
    const marker = 'Pl4nt3d';
    const user = 'secretive';
    const key = `${marker}-key`;
    const flags = ['--log-level', 'trace', '--accounts', `${user}:${key}`];
    await using service = await startService({ flags });
    const authorization = `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;
    const secrets = {
      cookies: `a=${marker}-cookie`,
      custom_http_header: `X-Token:${marker}-header`,
      http_auth_user_name: 'somebody',
      http_auth_password: `${marker}-password`,
      user_password: `${marker}-user`,
      owner_password: `${marker}-owner`,
      data_string: `{"a": "${marker}-data"}`,
    };
    const sent = { authorization };
    const page = `<title>${marker}</title><script>console.error('${marker}')</script>{{ a }}`;
    const withUser = `http://u:${marker}-url@127.0.0.1:8097/?token=${marker}-query`;
    const answers = [
      await send(service, { ...secrets, text: page }, sent),
      await send(service, { ...secrets, text: page, http_proxy: `u:${marker}-proxy@127.0.0.1:8096` }, sent),
      await send(service, { ...secrets, url: withUser }, sent),
      await send(service, { ...secrets, url: `ftp://u:${marker}@example.com/` }, sent),
      await send(service, { ...secrets, text: page, nonsense: `${marker}-unknown` }, sent),
      await send(service, { ...secrets, cookies: `${marker}-without-a-name`, text: page }, sent),
      await send(service, { file: htmlFile(marker, `${marker}.zip`) }, sent),
      await send(service, { text: page }, { authorization: `Basic ${btoa(`${user}:${marker}-wrong`)}` }),
    ];
    assert.ok(new Set(answers.map(({ status }) => status)).size >= 3);
    await service.stop();
    const lines = service.log().split('\n');
    assert.ok(lines.length > answers.length);
    assert.deepEqual(
      lines.filter((line) => line.includes(marker)),
      [],
    );
  });

  test('in a file is rotated when the file is full, and is complete when the service has ended', async () => {
    const flags = ['--log-file', 'logs/platen.log', '--log-file-size', '2kB', '--log-file-count', '3'];
    const service = await startService({ flags });
    for (let number = 0; number < 16; number += 1) await send(service, { text: `<p>${number}` });
    await service.stop();
    const folder = join(service.data, 'logs');
    const names = ['platen.log.2', 'platen.log.1', 'platen.log'];
    assert.deepEqual(readdirSync(folder).sort().reverse(), names);
    const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
    for (const [index, text] of texts.entries()) {
      assert.ok(text.length <= 2000 && text.endsWith('\n'));
      // Windows has no modes.
      if (process.platform !== 'win32')
        assert.equal(statSync(join(folder, names[index] ?? '')).mode & 0o777, 0o600);
    }
    const lines = texts
      .flatMap((text) => text.trimEnd().split('\n'))
      .map((line) => JSON.parse(line) as LogLine);
    assert.match(lines.at(-1)?.msg ?? '', /^stopping/);
    assert.ok(lines.filter(({ msg }) => msg === 'converted').length >= 3);
    assert.equal(service.log(), '');
    rmSync(service.data, { recursive: true, force: true });
  });

  test('in a file that cannot be written prevents the start, with the path in the message and exit code 1', async () => {
    const data = temporaryFolder();
    mkdirSync(join(data, 'taken'));
    const child = spawnPlaten(['serve', '--port', '0', '--data', data, '--log-file', 'taken']);
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    assert.equal(code, 1);
    assert.match(output, /^platen: .*not a regular file.*\n$/);
    assert.ok(output.includes(join(data, 'taken')), output);
    rmSync(data, { recursive: true });
  });

  test('in a file contains the reason for a failed start', async () => {
    await using taken = await takePort();
    const data = temporaryFolder();
    const flags = ['--port', String(taken.port), '--data', data, '--log-file', 'platen.log'];
    const child = spawnPlaten(['serve', ...flags]);
    assert.equal(await new Promise((resolve) => child.once('exit', resolve)), 1);
    assert.match(
      readFileSync(join(data, 'platen.log'), 'utf8'),
      /port \d+ on 127\.0\.0\.1 is already in use/,
    );
    rmSync(data, { recursive: true });
  });
});

describe('The service log, about refusals,', () => {
  let service: Service;
  before(async () => (service = await startService({ flags: ['--network-deny', 'localhost'] })));
  after(() => service[Symbol.asyncDispose]());

  test('contains wrong credentials with the address and the account, but not the key', async () => {
    await send(service, { text: 'x' }, { authorization: `Basic ${btoa('ann:guessed-key')}` });
    const { cause } = (await waitForLogLine(
      service,
      (line) => (line as Partial<LogLine>).cause?.user === 'ann',
    )) as Partial<LogLine>;
    assert.match(cause?.address ?? '', /127\.0\.0\.1$/);
    assert.doesNotMatch(service.log(), /guessed-key/);
  });

  test('contains requests that the network policy refuses, with the reason', async () => {
    await send(service, { text: `${curious}<img src="http://localhost:8098/y.png">` });
    const refusalAt = async (port: number) =>
      (await waitForLogLine(service, (line) => (line as Partial<LogLine>).refusal?.port === port)).refusal;
    assert.deepEqual(await refusalAt(8099), {
      host: '127.0.0.1',
      port: 8099,
      address: '127.0.0.1',
      why: 'the policy intranet does not allow loopback addresses',
    });
    assert.deepEqual(await refusalAt(8098), {
      host: 'localhost',
      port: 8098,
      why: 'denied by the exception localhost',
    });
  });
});
