/** Many requests of one account that hardly arrive, as a caller sends them who wants to use up all connections. */
import assert from 'node:assert/strict';
import { openConnection } from '../servers/raw-connection.ts';
import { waitUntil } from '../wait-until.ts';
import { send } from './convert.ts';
import { basic, openServiceDatabase } from './job-record.ts';
import { startService, type Service } from './service.ts';

const byteIntervalMs = 8000;

/** Starts a service with the accounts ann, bob and the operator boss. */
export async function startSharedService(...flags: readonly string[]): Promise<Service> {
  const service = await startService({ flags: ['--accounts', 'ann:key,bob:key,boss:key', ...flags] });
  await using record = await openServiceDatabase(service);
  await record.book.change('boss', { operator: true });
  return service;
}

/** Sends requests, of each only a byte in eight seconds. Resolves when the service has ended all but `kept`. */
export async function sendSlowRequests(
  service: Service,
  count: number,
  { kept, account = 'ann' }: { readonly kept: number; readonly account?: string },
) {
  let ended = 0;
  const sockets = Array.from({ length: count }, () => {
    const socket = openConnection(service);
    let isOpen = true;
    const end = () => {
      if (isOpen) ended += 1;
      isOpen = false;
    };
    return socket.once('data', end).once('close', end);
  });
  const head = [
    'POST /convert/24.04/ HTTP/1.1',
    'Host: x',
    `Authorization: ${basic(account)}`,
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 1000',
    '\r\n',
  ].join('\r\n');
  for (const socket of sockets) socket.write(`${head}text=`);
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x');
  }, byteIntervalMs);
  await waitUntil('the other requests are refused or closed', () => ended >= count - kept);
  return {
    ended: () => ended,
    [Symbol.dispose]() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Asserts that health checks, another account and an operator are served, `rounds` times. */
export async function assertOthersAreServed(service: Service, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const path of ['/health', '/ready'])
      assert.equal((await fetch(service.url + path)).status, 200, path);
    const converted = await send(service, { text: `round ${round}` }, { authorization: basic('bob') });
    assert.equal(converted.status, 200);
    const console = await fetch(`${service.url}/console/call/state`, {
      method: 'POST',
      headers: { authorization: basic('boss') },
    });
    assert.equal(console.status, 200);
  }
}
