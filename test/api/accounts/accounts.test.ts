import assert from 'node:assert/strict';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { send } from '../../support/service/convert.ts';
import { defaultService } from '../../support/service/default-service.ts';
import {
  spawnPlaten,
  startService,
  temporaryFolder,
  type Service,
  type StartOptions,
} from '../../support/service/service.ts';
import { readUnlessLocked } from '../../support/service/data-files.ts';

const folders: string[] = [];

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Creates a data folder for several starts of the service. It is deleted after the tests. */
function installation(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
}

/** Starts the service, calls `during`, and stops the service. Resolves with its output and the result of `during`. */
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

/** Converts HTML, and returns the link to the debug log of the job. */
async function linkFor(service: Service, user: string, key: string): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;
  const { headers } = await send(service, { text: 'x', debug_log: true }, { authorization });
  return headers.get('x-service-debug-log') ?? '';
}

/** Runs `platen account` until it exits. */
async function platen(data: string, ...words: readonly string[]) {
  const child = spawnPlaten(['account', ...words, '--data', data]);
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said: output.trim(), noted: errors.trim() };
}

const keyIn = (text: string) => /key:? ([0-9a-f]{40})\b/.exec(text)?.[1] ?? '';

describe('The first start', () => {
  const data = installation();
  const useAdminAndDemo = async (service: Service, key: string) => [
    await statusFor(service, 'admin', key),
    await statusFor(service, 'demo', 'demo'),
  ];
  const flags = ['--log-level', 'trace'];
  let first: Awaited<ReturnType<typeof whileRunning<number[]>>>;
  let next: typeof first;
  before(async () => {
    first = await whileRunning({ data, flags }, (service) =>
      useAdminAndDemo(service, keyIn(service.stdout())),
    );
    next = await whileRunning({ data, flags: [...flags, '--demo', 'off'] }, (service) =>
      useAdminAndDemo(service, keyIn(first.said)),
    );
  });

  test('prints an account with a valid key, which no later start prints and no log contains', () => {
    const key = keyIn(first.said);
    assert.match(first.said, /user admin, key [0-9a-f]{40}\n[^]*Platen listening on /);
    assert.equal(first.said.split(key).length, 2, 'the key is not printed exactly once');
    assert.ok(!first.log.includes(key));
    assert.ok(!next.said.includes('admin') && keyIn(next.said) === '', next.said);
    assert.deepEqual([first.result[0], next.result[0]], [200, 200]);
  });

  test('creates a demo account, which is refused after a later start with --demo off', () => {
    assert.deepEqual([first.result[1], next.result[1]], [200, 401]);
  });
});

describe('The command line', () => {
  test('creates and revokes keys, with immediate effect in the running service', async () => {
    const service = await defaultService();
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
    const service = await defaultService();
    const links: string[] = [];
    for (const name of ['shop', 'office'])
      links.push(await linkFor(service, name, keyIn((await platen(service.data, 'add', name)).said)));
    const read = () => Promise.all(links.map(async (link) => (await fetch(link)).status));
    assert.deepEqual(await read(), [200, 200]);
    await platen(service.data, 'remove', 'shop');
    assert.deepEqual(await read(), [404, 200]);
    await platen(service.data, 'remove', 'office');
  });

  test('prints a secret for callbacks once, and says that a new one replaces it', async () => {
    const data = installation();
    await platen(data, 'add', 'ann');
    const first = await platen(data, 'webhook-secret', 'ann');
    const second = await platen(data, 'webhook-secret', 'ann');
    for (const { code, said } of [first, second]) {
      assert.equal(code, 0);
      assert.match(said, /^secret: whsec_[A-Za-z0-9+/]{43}=$/);
    }
    assert.notEqual(first.said, second.said);
    assert.doesNotMatch(first.noted, /former secret/);
    assert.match(second.noted, /former secret/);
    const listed = await platen(data, 'list', '--json');
    assert.doesNotMatch(listed.said, /whsec_/);
  });

  test('creates accounts before the first start, which then prints no account', async () => {
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

  test('reports wrong usage with exit code 2, and a conflict with the accounts with exit code 1, on one line', async () => {
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
      [2, ['webhook-secret'], /account name missing/],
      [1, ['webhook-secret', 'bob'], /no account 'bob'/],
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

describe('A service that listens on an address other than loopback', () => {
  const data = installation();
  const flags = ['--host', '0.0.0.0'];
  const useDemo = (service: Service) =>
    statusFor({ ...service, url: service.url.replace('0.0.0.0', '127.0.0.1') }, 'demo', 'demo');

  test('has no demo account, and without TLS warns about unencrypted traffic in its log', async () => {
    const { result, log } = await whileRunning({ data, flags }, useDemo);
    assert.equal(result, 401);
    assert.doesNotMatch(log, /demo account/);
    assert.equal(log.match(/"level":40.*unencrypted; set tls-cert/g)?.length, 1);
  });

  test('has the demo account with --demo on, and warns about the account in its log', async () => {
    const { result, log } = await whileRunning({ data, flags: [...flags, '--demo', 'on'] }, useDemo);
    assert.equal(result, 200);
    assert.match(log, /the demo account is on/);
  });
});

describe('Accounts in the setting accounts', () => {
  const data = installation();
  let first: Awaited<ReturnType<typeof whileRunning<FileFacts[]>>>;
  before(async () => {
    const environment = { PLATEN_ACCOUNTS: 'ann:marker-of-a-key:50' };
    first = await whileRunning({ data, environment }, async (service) => {
      assert.equal(await statusFor(service, 'ann', 'marker-of-a-key'), 200);
      await statusFor(service, 'ann', 'marker-of-a-guess');
      return filesIn(data);
    });
  });

  test('are the only accounts: the first start prints no other account', () => {
    assert.match(first.said, /^Platen listening on \S+\n$/);
  });

  test('are stored without their keys, in a database that only its owner can read', () => {
    const databases = first.result.filter(({ name }) => name.startsWith('accounts.sqlite'));
    assert.ok(databases.length >= 2, 'the database or its journal is missing');
    // Windows has no modes.
    if (process.platform !== 'win32') for (const { name, mode } of databases) assert.equal(mode, 0o600, name);
    for (const { name, bytes } of first.result) assert.ok(!bytes.includes('marker-of-a-'), name);
  });

  test('keep their balance and use the changed key after a restart', async () => {
    await platen(data, 'credits', 'ann', '7');
    const environment = { PLATEN_ACCOUNTS: 'ann:new-key-of-ann:50' };
    const { result } = await whileRunning({ data, environment }, async (service) => [
      await statusFor(service, 'ann', 'marker-of-a-key'),
      (await platen(data, 'credits', 'ann')).said,
      await statusFor(service, 'ann', 'new-key-of-ann'),
    ]);
    assert.deepEqual(result, [401, '7', 200]);
  });
});

interface FileFacts {
  readonly name: string;
  readonly mode: number;
  readonly bytes: Buffer;
}

function filesIn(folder: string): FileFacts[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return { name, mode: statSync(path).mode & 0o777, bytes: readUnlessLocked(path) };
    });
}
