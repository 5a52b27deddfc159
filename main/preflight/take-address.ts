/** Taking the address a server is to listen on, and what to change when it cannot be had. */
import type { Server } from 'node:net';
import type { Settings } from '../settings/table.ts';

export type Address = Pick<Settings, 'host' | 'port'>;

/** @throws Error with one sentence when the address cannot be had */
export function takeAddress(server: Server, { host, port }: Address): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    // Later errors (no file descriptor left for a caller) concern that caller alone.
    server.on('error', (problem: NodeJS.ErrnoException) => {
      reject(new Error(explain(problem, host, port)));
    });
    server.listen(port, host.replace(/^\[|\]$/g, ''), resolve);
  });
}

function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is already in use; choose another with --port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine; choose another with --host.`;
  if (code === 'EACCES')
    return `port ${port} needs more rights than this user has; choose one above 1023 with --port.`;
  return `cannot listen on ${host}:${port}: ${message}`;
}
