/** Whether a service could start with other settings, as far as a try can tell: its log, its certificate, its address. */
import { createServer } from 'node:net';
import { tryServiceLog } from '../log/service-log.ts';
import type { LoadedSettings } from '../settings/load.ts';
import { openCertificate } from './certificate.ts';
import { takeAddress, type Address } from './take-address.ts';

/** `taken` is the address this process listens on. @throws Error with one sentence when a start would fail */
export async function tryStart(wanted: LoadedSettings, taken: Address): Promise<void> {
  tryServiceLog(wanted);
  await openCertificate(wanted);
  const { host, port } = wanted;
  if (host === taken.host && (port === taken.port || port === 0)) return;
  const server = createServer();
  // Its own port is free once it has ended.
  await takeAddress(server, { host, port: port === taken.port ? 0 : port });
  await new Promise((resolve) => server.close(resolve));
}
