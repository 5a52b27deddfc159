import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { send } from '../support/convert.ts';
import {
  spawnPlaten,
  startService,
  temporaryFolder,
  type Service,
  type StartOptions,
} from '../support/service.ts';

const folders: string[] = [];

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Creates a data folder for several starts of the service; `after` deletes it. */
function installation(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
}

/** Runs the service while `during` runs. Returns the service's output and the result of `during`. */
async function whileRunning<Result>(start: StartOptions, during: (service: Service) => Promise<Result>) {
  const service = await startService(start);
  let result: Result;
  try {
    result = await during(service);
  } finally {
    await service.stop();
  }
  return { result, said: service.stdout(), log: service.log() };
}

async function statusFor(service: Service, user: string, key: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;
  return (await send(service, { text: 'x' }, { authorization })).status;
}

/** Converts a text and returns the link to its debug log. */
async function linkFor(service: Service, user: string, key: string): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;
  const { headers } = await send(service, { text: 'x', debug_log: true }, { authorization });
  return headers.get('x-service-debug-log') ?? '';
}

/** Runs `platen account` until it exits. */
async function platen(data: string, ...words: readonly string[]) {
  const child = spawnPlaten(['account', ...words, '--data', data]);
  let [output, errors] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said: output.trim(), noted: errors.trim() };
}

const keyIn = (text: string) => /key:? ([0-9a-f]{40})\b/.exec(text)?.[1] ?? '';

describe('The first start', () => {
  test('prints an account with a working key once, and never to the log', async () => {
    const data = installation();
    const first = await whileRunning({ data, flags: ['--log-level', 'trace'] }, (service) =>
      statusFor(service, 'admin', keyIn(service.stdout())),
    );
    const key = keyIn(first.said);
    assert.match(first.said, /user admin, key [0-9a-f]{40}\n[^]*Platen listening on /);
    assert.equal(first.said.split(key).length, 2, 'the key is printed once');
    assert.equal(first.result, 200);
    assert.ok(!first.log.includes(key));
    const second = await whileRunning({ data }, (service) => statusFor(service, 'admin', key));
    assert.equal(second.result, 200);
    assert.ok(!second.said.includes('admin') && keyIn(second.said) === '', second.said);
  });

  test('prints no account if the settings have accounts', async () => {
    const environment = { PLATEN_ACCOUNTS: 'ann:k' };
    const { said } = await whileRunning({ data: installation(), environment }, (service) =>
      statusFor(service, 'ann', 'k'),
    );
    assert.match(said, /^Platen listening on \S+\n$/);
  });
});

describe('The command line', () => {
  test('creates and revokes keys, with immediate effect in the running service', async () => {
    await using service = await startService();
    const { data } = service;
    const made = await platen(data, 'add', 'shop', '--credits', '10');
    assert.equal(made.code, 0, made.noted);
    assert.equal(await statusFor(service, 'shop', keyIn(made.said)), 200);
    const more = await platen(data, 'key', 'shop', '--name', 'branch');
    assert.equal(await statusFor(service, 'shop', keyIn(more.said)), 200);
    const listed = (await platen(data, 'key', 'shop', '--list')).said;
    const branch = /key ([0-9a-f]{8}) +branch/.exec(listed)?.[1] ?? '';
    assert.equal((await platen(data, 'key', 'shop', '--revoke', branch)).code, 0);
    assert.equal(await statusFor(service, 'shop', keyIn(more.said)), 401);
    assert.equal(await statusFor(service, 'shop', keyIn(made.said)), 200);
    await platen(data, 'remove', 'shop');
    assert.equal(await statusFor(service, 'shop', keyIn(made.said)), 401);
  });

  test('removes an account and only its own debug logs', async () => {
    await using service = await startService();
    const links: string[] = [];
    for (const name of ['shop', 'office'])
      links.push(await linkFor(service, name, keyIn((await platen(service.data, 'add', name)).said)));
    const read = () => Promise.all(links.map(async (link) => (await fetch(link)).status));
    assert.deepEqual(await read(), [200, 200]);
    await platen(service.data, 'remove', 'shop');
    assert.deepEqual(await read(), [404, 200]);
  });

  test('works before the first start, which then creates no demo account', async () => {
    const data = installation();
    const { said: made } = await platen(data, 'add', 'ann', '--operator', '--refill', '5/day');
    const { result, said } = await whileRunning({ data }, (service) =>
      statusFor(service, 'ann', keyIn(made)),
    );
    assert.equal(result, 200);
    assert.equal(keyIn(said), '');
    const listed = JSON.parse((await platen(data, 'list', '--json')).said) as Record<string, unknown>[];
    assert.deepEqual(
      listed.map(({ name, operator, demo }) => [name, operator, demo]),
      [
        ['ann', true, false],
        ['demo', false, true],
      ],
    );
  });

  test('reports wrong usage with exit code 2 and a conflicting state with 1, in one line', async () => {
    const data = installation();
    await platen(data, 'add', 'ann', '--credits', '5');
    const cases = [
      [2, ['add'], /account name missing/],
      [2, ['add', 'a:b'], /'a:b' is not allowed/],
      [2, ['add', 'bob', '--credis', '5'], /did you mean --credits\?/],
      [2, ['ad', 'bob'], /did you mean add\?/],
      [2, ['credits', 'ann', 'many'], /'many' is not allowed/],
      [2, ['change', 'ann'], /no flag given/],
      [1, ['add', 'ann'], /'ann' already exists/],
      [1, ['key', 'bob'], /no account 'bob'/],
      [1, ['credits', 'ann', '-6'], /5 credits left; 6 cannot be taken/],
    ] as const;
    for (const [expected, words, message] of cases) {
      const { code, said, noted } = await platen(data, ...words);
      assert.deepEqual([code, said], [expected, ''], noted);
      assert.match(noted, message);
      assert.equal(noted.split('\n').length, 1, noted);
    }
    assert.equal((await platen(data, 'credits', 'ann')).said, '5');
    assert.equal((await platen(data, 'credits', 'ann', '-2')).said, '3');
  });
});

describe('The demo account', () => {
  test('is refused when it is off, even if it was on before', async () => {
    const data = installation();
    const demo = (service: Service) => statusFor(service, 'demo', 'demo');
    assert.equal((await whileRunning({ data }, demo)).result, 200);
    assert.equal((await whileRunning({ data, flags: ['--demo', 'off'] }, demo)).result, 401);
  });

  test('is refused on an address that others can reach, unless it is enabled, which logs a warning', async () => {
    const data = installation();
    const demo = (service: Service) =>
      statusFor({ ...service, url: service.url.replace('0.0.0.0', '127.0.0.1') }, 'demo', 'demo');
    const flags = ['--host', '0.0.0.0'];
    const off = await whileRunning({ data, flags }, demo);
    assert.equal(off.result, 401);
    assert.doesNotMatch(off.log, /demo account/);
    const on = await whileRunning({ data, flags: [...flags, '--demo', 'on'] }, demo);
    assert.equal(on.result, 200);
    assert.match(on.log, /the demo account is on/);
  });
});

describe('Accounts of the settings', () => {
  test('keep their balance and use the changed key after a restart', async () => {
    const data = installation();
    const first = { PLATEN_ACCOUNTS: 'ann:old-key-of-ann:50' };
    const before = await whileRunning({ data, environment: first }, (service) =>
      statusFor(service, 'ann', 'old-key-of-ann'),
    );
    assert.equal(before.result, 200);
    await platen(data, 'credits', 'ann', '7');
    const changed = { PLATEN_ACCOUNTS: 'ann:new-key-of-ann:50' };
    const { result } = await whileRunning({ data, environment: changed }, async (service) => [
      await statusFor(service, 'ann', 'old-key-of-ann'),
      (await platen(data, 'credits', 'ann')).said,
      await statusFor(service, 'ann', 'new-key-of-ann'),
    ]);
    assert.deepEqual(result, [401, '7', 200]);
  });

  test('store no key in the data folder, and a database that only its owner can read', async () => {
    const data = installation();
    const environment = { PLATEN_ACCOUNTS: 'ann:marker-of-a-key' };
    await whileRunning({ data, environment }, async (service) => {
      assert.equal(await statusFor(service, 'ann', 'marker-of-a-key'), 200);
      await statusFor(service, 'ann', 'marker-of-a-guess');
      const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      const databases = files.filter(({ name }) => name.startsWith('accounts.sqlite'));
      assert.ok(databases.length >= 2, 'the database and its journal');
      for (const { name } of databases) assert.equal(statSync(join(data, name)).mode & 0o777, 0o600, name);
      for (const { parentPath, name } of files)
        assert.ok(!readFileSync(join(parentPath, name)).includes('marker-of-a-'), name);
    });
  });
});
