/** A page chooses the lengths and the number of its requests; what the recorder keeps until the end of the job is limited. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  NetworkRecorder,
  type RecordedJob,
} from '../../../../../main/engine/diagnostics/recording/network-recorder.ts';
import type { NewEvent } from '../../../../../main/log/events.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function usedBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

async function record(run: (recorder: NetworkRecorder) => void): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  const log = { now: 0, isFull: false, write: (event: NewEvent) => void events.push(event) };
  const job = {
    log,
    refusals: () => [],
    isLimitExceeded: () => false,
    jobFilesSource: 'upload',
    secretHeader: undefined,
  };
  const recorder = new NetworkRecorder(job as unknown as RecordedJob);
  run(recorder);
  await recorder.end();
  return events;
}

const request = (requestId: string, url: string, method = 'GET') => ({
  requestId,
  request: { url, method, headers: {} },
  timestamp: 1,
  wallTime: 1,
  initiator: {
    stack: {
      callFrames: [
        { functionName: 'f'.repeat(1e6), url: 'https://a.example/a.js', lineNumber: 1, columnNumber: 1 },
      ],
    },
  },
});

test('requests that never end keep only the beginning of their addresses, and no stacks', async () => {
  const before = usedBytes();
  const events = await record((recorder) => {
    for (let n = 0; n < 300; n += 1)
      recorder.onMessage(
        'Network.requestWillBeSent',
        request(String(n), `https://a.example/${n}/${'a'.repeat(1e6)}`, 'M'.repeat(1e6)),
      );
    assert.ok(usedBytes() - before < 30e6, `${usedBytes() - before} bytes`);
  });
  assert.equal(events.length, 300);
  const [first] = events;
  assert.ok(first?.kind === 'request' && first.text.startsWith('https://a.example/0/aaa'));
  assert.equal(first.detail.initiator, 'https://a.example/a.js:2');
  assert.equal(first.detail.method?.length, 100);
});

test('WebSockets count towards the limit of requests, and are forgotten when they close', async () => {
  const socket = (n: number) => ({ requestId: `s${n}`, url: 'wss://a.example/' });
  const open = await record((recorder) => {
    for (let n = 0; n < 10_100; n += 1) recorder.onMessage('Network.webSocketCreated', socket(n));
  });
  assert.equal(open.length, 10_000);
  const closed = await record((recorder) => {
    recorder.onMessage('Network.webSocketCreated', socket(1));
    recorder.onMessage('Network.webSocketClosed', { requestId: 's1' });
    recorder.onMessage('Network.webSocketClosed', { requestId: 's1' });
  });
  assert.equal(closed.length, 1);
});

test('the event loop goes on while thousands of pending requests are logged', async () => {
  let hasGoneOn = false;
  const headers = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`x-${n}`, 'a'.repeat(900)]));
  const events = await record((recorder) => {
    for (let n = 0; n < 3000; n += 1) {
      const message = request(String(n), `https://a.example/${n}`);
      recorder.onMessage('Network.requestWillBeSent', {
        ...message,
        request: { ...message.request, headers },
      });
    }
    setImmediate(() => (hasGoneOn = true));
  });
  assert.equal(events.length, 3000);
  assert.ok(hasGoneOn);
});
