/** Listens on the service's address, and checks whether a start with other settings would succeed. */
import { createServer, type Server } from 'node:net';
import type { Settings } from '../settings/table.ts';
import { checkServiceLog } from '../log/service-log.ts';
import type { LoadedSettings } from '../settings/load.ts';
import { openCertificate } from './certificate.ts';

export type ListenAddress = Pick<Settings, 'host' | 'port'>;

/** Starts listening on the address. @throws Error with a one-sentence message if the address is not available */
export function listenOn(server: Server, { host, port }: ListenAddress): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    // A later error, such as no file descriptor left for a connection, affects only that connection.
    server.on('error', (problem: NodeJS.ErrnoException) => {
      reject(new Error(describeListenError(problem, { host, port })));
    });
    server.listen(port, host.replace(/^\[|\]$/g, ''), resolve);
  });
}

/** Returns a sentence about an error of `listen`. */
export function describeListenError(
  { code, message }: Pick<NodeJS.ErrnoException, 'code' | 'message'>,
  { host, port }: ListenAddress,
  platform = process.platform,
): string {
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is already in use; choose another with --port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine; choose another with --host.`;
  // Windows has no privileged ports. It denies access to a port that another program owns exclusively, such as the driver http.sys.
  if (code === 'EACCES' && platform === 'win32')
    return `Windows refuses port ${port}: another program owns it (netsh http show servicestate) or it is reserved (netsh interface ipv4 show excludedportrange protocol=tcp); choose another with --port.`;
  if (code === 'EACCES')
    return `this user may not listen on port ${port}; choose one above 1023 with --port.`;
  return `cannot listen on ${host}:${port}: ${message}`;
}

/**
 * Checks whether a service could start with these settings: its log, certificate and address. `current` is the address of this
 * process, which a restart frees.
 * @throws Error with a one-sentence message if a start would fail
 */
export async function tryStart(settings: LoadedSettings, current: ListenAddress): Promise<void> {
  checkServiceLog(settings);
  await openCertificate(settings);
  const { host, port } = settings;
  if (host === current.host && (port === current.port || port === 0)) return;
  const server = createServer();
  // The port of this process is not tested: it becomes free when the process ends.
  await listenOn(server, { host, port: port === current.port ? 0 : port });
  await new Promise((resolve) => server.close(resolve));
}
