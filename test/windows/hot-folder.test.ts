/** A hot folder on Windows, with a stub of the engine: sources are found by polling, and files that are open elsewhere wait. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { watchClosingLogs } from '../../main/conversion/job-log.ts';
import { openPause } from '../../main/conversion/admission.ts';
import { JobQueue } from '../../main/engine/queue/job-queue.ts';
import { Failure } from '../../main/failure/failure.ts';
import { HotFolder, type HotFolderDependencies } from '../../main/hot-folder/hot-folder.ts';
import { JobLimiter } from '../../main/hot-folder/job-limiter.ts';
import { defaultLimits } from '../../main/input/archive/limits.ts';
import { openDebugLogs } from '../../main/log/debug-logs.ts';
import { waitUntil } from '../support/wait-until.ts';

/** UV_FS_O_EXLOCK of libuv: opens the file without sharing it, as viewers of PDFs do. */
const withoutSharing = 0x10000000;

let root = '';
let folder = '';
let stop: () => Promise<void>;
/** The names of the sources that the stub of the engine has converted. */
let converted: string[] = [];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'platen-hot-'));
  folder = join(root, 'Eingang & mehr');
  mkdirSync(folder);
  mkdirSync(join(root, 'work'));
  writeFileSync(join(folder, 'platen.json'), '{"settle": "300ms", "poll": "300ms"}');
  converted = [];
  stop = await watch();
});
afterEach(async () => {
  await stop();
  rmSync(root, { recursive: true, maxRetries: 5 });
});

/** Converts to the text of the source. A source with the text `broken` fails. */
const engine = {
  refusalOf: () => undefined,
  withWindow(_run: unknown, source: { readonly bytes: Buffer }) {
    const text = source.bytes.toString();
    converted.push(text);
    if (text.includes('broken')) return Promise.reject(new Failure('tooComplex', 'The page is broken.'));
    return Promise.resolve({ bytes: Buffer.from(`%PDF ${text}`), contentType: 'application/pdf' });
  },
};

const entry = {
  hasCredit: true,
  hold: () => Promise.resolve({ consumed: 1, remaining: 1 }),
  describe: () => Promise.resolve(),
  charge: () => Promise.resolve(),
  fail: () => Promise.resolve(),
  refund: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** Watches the folder. Returns a function that ends the watching. */
async function watch(): Promise<() => Promise<void>> {
  const debugLogs = await openDebugLogs(join(root, 'logs'), 60_000);
  const shutdown = new AbortController();
  const dependencies = {
    engine,
    debugLogs,
    archiveLimits: defaultLimits,
    inputQueue: new JobQueue({ workers: 2, queue: 10, queueTimeoutMs: 10_000 }, 'input process'),
    settings: { 'job-timeout': 60_000 },
    versions: { platen: '0', electron: '0', chromium: '0' },
    jobs: { begin: () => Promise.resolve(entry) },
    closingLogs: watchClosingLogs(),
    log: pino({ level: 'silent' }),
    workFolder: join(root, 'work'),
    shutdown: shutdown.signal,
    pause: openPause(),
    metrics: { jobEnded() {} },
    limiter: new JobLimiter(2),
    account: () => Promise.resolve({ name: 'hot-folders', debugLog: false }),
    jobLimits: { jobTimeoutMs: 60_000 },
    maxUpload: 1_000_000,
    findConflict: () => Promise.resolve(undefined),
    takeLease: () => Promise.resolve(true),
  };
  const running = new HotFolder(folder, dependencies as unknown as HotFolderDependencies).run(
    shutdown.signal,
  );
  return async () => {
    shutdown.abort();
    await running;
    await debugLogs[Symbol.asyncDispose]();
  };
}

const at = (...names: readonly string[]) => join(folder, ...names);
const textOf = (name: string) => readFileSync(at(name), 'utf8');
const appears = (name: string) => waitUntil(`${name} exists`, () => existsSync(at(name)), 20_000);

describe('A hot folder on Windows', () => {
  test('finds new and changed sources by polling', async () => {
    writeFileSync(at('ä ž.html'), '<p>one');
    await appears('ä ž.pdf');
    assert.equal(textOf('ä ž.pdf'), '%PDF <p>one');
    writeFileSync(at('ä ž.html'), '<p>two');
    await waitUntil('the changed source is converted', () => textOf('ä ž.pdf') === '%PDF <p>two', 20_000);
  });

  test('waits until another program has closed the source', async () => {
    const writer = openSync(at('a.html'), 'w');
    appendFileSync(writer, '<p>half');
    await pause(2000);
    assert.deepEqual(converted, []);
    appendFileSync(writer, ' and half');
    closeSync(writer);
    await appears('a.pdf');
    assert.deepEqual(converted, ['<p>half and half']);
  });

  test('converts once, when the viewer that shows the older output is closed', async () => {
    writeFileSync(at('a.html'), '<p>one');
    await appears('a.pdf');
    const viewer = openSync(at('a.pdf'), withoutSharing);
    writeFileSync(at('a.html'), '<p>two');
    await pause(2500);
    assert.deepEqual(converted, ['<p>one']);
    closeSync(viewer);
    await waitUntil('the changed source is converted', () => textOf('a.pdf') === '%PDF <p>two', 20_000);
    assert.deepEqual(converted, ['<p>one', '<p>two']);
  });

  test('moves a failed source with its error and its debug log', async () => {
    writeFileSync(at('a.html'), '<p>broken');
    await appears(join('failed', 'a.html.log.html'));
    await waitUntil('the source is moved', () => !existsSync(at('a.html')), 20_000);
    assert.match(textOf(join('failed', 'a.html.error.txt')), /^400\.306 - The page is broken\./);
  });

  test('can be renamed and created again while it is watched', async () => {
    renameSync(folder, join(root, 'away'));
    mkdirSync(folder);
    writeFileSync(at('platen.json'), '{"settle": "300ms", "poll": "300ms"}');
    writeFileSync(at('b.html'), '<p>b');
    await appears('b.pdf');
    assert.deepEqual(readdirSync(join(root, 'away')), ['platen.json']);
  });
});
