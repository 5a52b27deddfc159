/** Reads the address of a PostgreSQL database, as libpq writes it (postgresql.org/docs/current/libpq-connect.html, 34.1.1.2). */
import type { Kind } from '../fields/kinds.ts';

export interface PostgresHost {
  /** A host name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** How a connection uses TLS, by libpq's names. */
type SslMode = (typeof sslModes)[number];

const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

export interface PostgresLocation {
  /** In the order in which they are tried. */
  readonly hosts: readonly PostgresHost[];
  readonly user?: string;
  /** Absent if the password comes from elsewhere: a file, the environment, or the password file of libpq. */
  readonly password?: string;
  readonly database: string;
  /** Absent: TLS with a verified certificate, except on this machine. */
  readonly sslMode?: SslMode;
  /** Path of a PEM file with the certificates of trusted authorities; absent: those that Node.js trusts. */
  readonly sslRootCert?: string;
  /** Paths of the client certificate and its key. */
  readonly sslCert?: string;
  readonly sslKey?: string;
  /** A name in pg_stat_activity. */
  readonly applicationName: string;
}

/** Parameters after the question mark. `target_session_attrs` may only demand what Platen needs anyway. */
const parameterNames = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'application_name',
  'host',
  'port',
  'user',
  'password',
  'target_session_attrs',
];

const defaultPort = 5432;

const pattern =
  /^postgres(?:ql)?:\/\/(?:(?<login>[^@/?]*)@)?(?<hosts>[^/?]*)(?:\/(?<database>[^?]*))?(?:\?(?<query>.*))?$/;

/** The address of a PostgreSQL database. */
export const postgresLocation: Kind<PostgresLocation> = {
  allowed: `postgres://user@host:5432/database, with further hosts after commas, and ${parameterNames.join(', ')} as parameters`,
  schema: { type: 'string' },
  read(text) {
    try {
      return readLocation(text.trim());
    } catch {
      // An invalid percent sequence.
      return undefined;
    }
  },
};

function readLocation(text: string): PostgresLocation | undefined {
  const parts = pattern.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const parameters = new Map(new URLSearchParams(parts.query ?? ''));
  if ([...parameters.keys()].some((name) => !parameterNames.includes(name))) return undefined;
  const hosts = readHosts(parts.hosts ?? '', parameters);
  const givenMode = parameters.get('sslmode');
  const sslMode = sslModes.find((mode) => mode === givenMode);
  const session = parameters.get('target_session_attrs') ?? 'read-write';
  const isModeKnown = givenMode === undefined || sslMode !== undefined;
  if (hosts === undefined || !isModeKnown || !['read-write', 'primary', 'any'].includes(session))
    return undefined;
  const [loginUser, ...loginPassword] = (parts.login ?? '').split(':');
  const user = parameters.get('user') ?? decodeURIComponent(loginUser ?? '');
  const password = parameters.get('password') ?? decodeURIComponent(loginPassword.join(':'));
  const database = decodeURIComponent(parts.database ?? '');
  const [sslRootCert, sslCert, sslKey] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) =>
    parameters.get(name),
  );
  return {
    hosts,
    ...(user !== '' && { user }),
    ...(password !== '' && { password }),
    database: database === '' ? (user === '' ? 'platen' : user) : database,
    ...(sslMode !== undefined && { sslMode }),
    ...(sslRootCert !== undefined && { sslRootCert }),
    ...(sslCert !== undefined && { sslCert }),
    ...(sslKey !== undefined && { sslKey }),
    applicationName: parameters.get('application_name') ?? 'platen',
  };
}

/** Returns the hosts in the address, or those in the parameters `host` and `port`. A single port is for all hosts. */
function readHosts(written: string, parameters: ReadonlyMap<string, string>): PostgresHost[] | undefined {
  const given = parameters.get('host');
  const names = given === undefined ? written.split(',') : given.split(',');
  const ports = (parameters.get('port') ?? '').split(',');
  const hosts = names.map((name, index) => {
    const port = ports[index] ?? ports[0] ?? '';
    return given === undefined ? readHost(name, port) : hostWithPort(name, port);
  });
  return hosts.every((host) => host !== undefined) ? hosts : undefined;
}

function readHost(text: string, otherPort: string): PostgresHost | undefined {
  const [, bracketed, name = '', port] = /^(?:\[([0-9a-fA-F:.%]+)\]|([^:[\]]*))(?::(\d+))?$/.exec(text) ?? [];
  if (bracketed === undefined && name === '' && text !== '' && !/^:\d+$/.test(text)) return undefined;
  return hostWithPort(decodeURIComponent(bracketed ?? name), port ?? otherPort);
}

function hostWithPort(host: string, port: string): PostgresHost | undefined {
  const number = port === '' ? defaultPort : Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) return undefined;
  return { host: host === '' ? 'localhost' : host, port: number };
}

/** Returns whether the connection stays on this machine: to a Unix socket, or to a loopback address. */
export function isLocal({ host }: PostgresHost): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Returns how a connection to the host uses TLS. Unlike libpq, which sends everything in the clear if a server offers no TLS, a host on
 * the network must prove its identity. As in libpq, `require` with trusted authorities verifies the certificate.
 */
export function sslModeFor(host: PostgresHost, { sslMode, sslRootCert }: PostgresLocation): SslMode {
  if (host.host.startsWith('/')) return 'disable';
  if (sslMode === undefined) return isLocal(host) ? 'prefer' : 'verify-full';
  return sslMode === 'require' && sslRootCert !== undefined ? 'verify-ca' : sslMode;
}

/** Returns the address for messages and logs: hosts, ports and database, without user and password. */
export function shownLocation({ hosts, database }: PostgresLocation): string {
  const shown = hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  return `postgres://${shown.join(',')}/${database}`;
}
