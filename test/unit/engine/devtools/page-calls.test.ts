import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  dropPendingCalls,
  executeJavaScript,
  executeJavaScriptInIsolatedWorld,
  insertCss,
  type CallableContents,
} from '../../../../main/engine/devtools/page-calls.ts';
import { callChannel, type PageCall } from '../../../../main/engine/page-scripts/preload-channels.ts';

/** A WebContents that records the calls it sends to its page. It has only public methods, as in all versions of Electron. */
class FakeContents extends EventEmitter {
  readonly ipc = new EventEmitter();
  readonly calls: PageCall[] = [];
  isLoading = false;

  send(channel: string, call: PageCall): void {
    assert.equal(channel, callChannel);
    this.calls.push(call);
  }

  getURL(): string {
    return 'platen://job/';
  }

  isLoadingMainFrame(): boolean {
    return this.isLoading;
  }
}

function fakeContents(): { readonly fake: FakeContents; readonly contents: CallableContents } {
  const fake = new FakeContents();
  return { fake, contents: fake as unknown as CallableContents };
}

test('a call resolves with the value that the page returns', async () => {
  const { fake, contents } = fakeContents();
  const value = executeJavaScriptInIsolatedWorld(contents, 7, '1 + 1');
  await setImmediate();
  const [call] = fake.calls;
  assert.equal(call?.method, 'executeJavaScriptInIsolatedWorld');
  assert.deepEqual(call.parameters, [7, [{ code: '1 + 1' }]]);
  fake.ipc.emit(call.replyChannel, {}, { value: 2 });
  assert.equal(await value, 2);
  assert.deepEqual(fake.ipc.eventNames(), []);
});

test('a call rejects with the error that the page throws', async () => {
  const { fake, contents } = fakeContents();
  const key = insertCss(contents, 'p { color: red }', 'user');
  fake.ipc.emit(fake.calls[0]?.replyChannel ?? '', {}, { error: new Error('no document') });
  await assert.rejects(key, /no document/);
  assert.deepEqual(fake.calls[0]?.parameters, ['p { color: red }', { cssOrigin: 'user' }]);
});

test('code is sent after the page has loaded', async () => {
  const { fake, contents } = fakeContents();
  fake.isLoading = true;
  void executeJavaScript(contents, '1');
  await setImmediate();
  assert.equal(fake.calls.length, 0);
  fake.emit('did-stop-loading');
  await setImmediate();
  assert.equal(fake.calls.length, 1);
});

test('dropping the pending calls removes their listeners and no others', async () => {
  const { fake, contents } = fakeContents();
  fake.ipc.on('visit', () => {});
  void executeJavaScript(contents, '1');
  void insertCss(contents, '');
  await setImmediate();
  assert.equal(fake.ipc.eventNames().length, 3);
  dropPendingCalls(contents);
  assert.deepEqual(fake.ipc.eventNames(), ['visit']);
});

test('each call has an unguessable reply channel', async () => {
  const { fake, contents } = fakeContents();
  void insertCss(contents, '');
  void insertCss(contents, '');
  await setImmediate();
  const channels = fake.calls.map(({ replyChannel }) => replyChannel);
  assert.equal(new Set(channels).size, 2);
  for (const channel of channels) assert.match(channel, /^reply-[0-9a-f-]{36}$/);
});

test('the engine calls pages only through page-calls.ts', () => {
  const folder = join(import.meta.dirname, '../../../../main');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.includes('page-scripts'),
  );
  const own = /contents\.(executeJavaScript|executeJavaScriptInIsolatedWorld|insertCSS|removeInsertedCSS)\(/;
  assert.deepEqual(
    files.filter((file) => own.test(readFileSync(join(folder, file), 'utf8'))),
    [],
  );
});
