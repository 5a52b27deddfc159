/** Starts listening, and stops gracefully: new and queued jobs are refused, running jobs have 30 s to finish, or 3 s at a logout. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { Failure } from '../../failure/failure.ts';
import { listenOn } from '../../preflight/take-address.ts';
import { pause } from '../../async/signals.ts';
import type { Settings } from '../../settings/table.ts';

interface Listening extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

interface ListenOptions {
  readonly server: Server;
  readonly settings: Pick<Settings, 'host' | 'port' | 'tls-cert'>;
  /** The job queues. `close` refuses queued and new jobs. */
  readonly queues: readonly { readonly close: () => void; readonly state: { readonly working: number } }[];
  /** Used to abort the jobs that still run after 30 s. */
  readonly jobsController: AbortController;
  /** Aborts when the system is about to kill the process. */
  readonly sessionEnd: AbortSignal;
}

const shutdownTimeoutMs = 30_000;

/** Windows kills an application five seconds after the end of the session, and logind delays a shutdown as long. */
const sessionEndTimeoutMs = 3000;

/** Starts listening. Disposing the result stops the service gracefully. @throws Error if the address is not available */
export async function listen({
  server,
  settings,
  queues,
  jobsController,
  sessionEnd,
}: ListenOptions): Promise<Listening> {
  const { host } = settings;
  await listenOn(server, settings);
  const address = server.address() as AddressInfo;
  const scheme = settings['tls-cert'] === undefined ? 'http' : 'https';
  const urlHost = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return {
    port: address.port,
    url: `${scheme}://${urlHost}:${address.port}`,
    async [Symbol.asyncDispose]() {
      for (const queue of queues) queue.close();
      const abortJobs = () => {
        jobsController.abort(new Failure('unavailable', 'The service is shutting down.', { retryAfter: 10 }));
      };
      let deadline = setTimeout(abortJobs, shutdownTimeoutMs);
      const hurry = () => {
        clearTimeout(deadline);
        deadline = setTimeout(abortJobs, sessionEndTimeoutMs);
      };
      if (sessionEnd.aborted) hurry();
      else sessionEnd.addEventListener('abort', hurry, { once: true });
      // The server stays open until the last job has ended: it refuses new jobs and answers health checks.
      while (queues.some((queue) => queue.state.working > 0)) await pause(50, neverAborted);
      clearTimeout(deadline);
      await closeServer(server);
    },
  };
}

const neverAborted = new AbortController().signal;

/** Closes the server after the last responses. Closes keep-alive connections as they become idle, and all connections after 2 s. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const closeIdle = setInterval(() => {
    server.closeIdleConnections();
  }, 50);
  const forceClose = setTimeout(() => {
    server.closeAllConnections();
  }, 2000);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(forceClose);
}

/** Minimum number of connections with which the service is usable. */
const minConnections = 16;

/**
 * Returns the connection limit: at most half of the free file descriptors, because threads, windows and pages need the other half.
 */
export function connectionLimit(maxConnections: number, freeDescriptors = countFreeDescriptors()): number {
  return Math.min(maxConnections, Math.max(minConnections, Math.floor(freeDescriptors / 2)));
}

/** Returns how many files this process can still open; Infinity on systems without /proc. */
function countFreeDescriptors(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(limit ?? Infinity) - readdirSync('/proc/self/fd').length;
  } catch {
    return Infinity;
  }
}
