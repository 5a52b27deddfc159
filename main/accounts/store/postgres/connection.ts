/** Opens connections to PostgreSQL: to the first of several hosts that accepts writes, with TLS and the sources of passwords of libpq. */
import { readFile } from 'node:fs/promises';
import pg, { type ClientConfig, type CustomTypesConfig } from 'pg';
import { messageOf } from '../../../failure/failure.ts';
import { sslModeFor, type PostgresHost, type PostgresLocation } from '../../../settings/postgres-location.ts';

export interface ConnectionOptions {
  readonly location: PostgresLocation;
  /** Path of a file with the password, which is read again for each connection; undefined: other sources. */
  readonly passwordFile: string | undefined;
}

/** Time to connect to one host and to ask whether it accepts writes. Longer than a round trip to another continent. */
const connectTimeoutMs = 1200;

/** Time after which the server ends a statement. No statement of Platen takes long; the largest write a part of a file. */
const statementTimeoutMs = 20_000;

/** Time after which an answer is no longer expected, and the connection is closed: the network is broken, or the server stopped. */
const queryTimeoutMs = 25_000;

/**
 * Connects to all hosts in turn, and returns the first connection that accepts writes.
 * @throws Error that names each host and why it cannot be used
 */
export async function connectToFirst(
  hosts: readonly PostgresHost[],
  options: ConnectionOptions,
): Promise<pg.Client> {
  const problems: string[] = [];
  for (const host of hosts) {
    try {
      return await connectForWrites(host, options);
    } catch (problem) {
      problems.push(`${host.host}:${host.port}: ${messageOf(problem) || codeOf(problem)}`);
    }
  }
  throw new Error(problems.join('; '));
}

/** Returns the host to which a connection leads. */
export function hostOf(client: pg.Client): PostgresHost {
  return { host: client.host, port: client.port };
}

async function connectForWrites(host: PostgresHost, options: ConnectionOptions): Promise<pg.Client> {
  const client = await connectWithSslMode(host, options);
  try {
    const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
    if (rows[0]?.transaction_read_only === 'on') throw new Error('the server accepts no writes');
    return client;
  } catch (problem) {
    closeNow(client);
    throw problem;
  }
}

/** Connects as `sslmode` demands. `prefer` continues without TLS if the server offers none, as in libpq. */
async function connectWithSslMode(host: PostgresHost, options: ConnectionOptions): Promise<pg.Client> {
  const { location } = options;
  const mode = sslModeFor(host, location);
  if (mode === 'disable') return await connect(host, options, false);
  const ssl = await tlsOptions(mode, location);
  if (mode !== 'prefer') return await connectWithTls(mode, host, { ...options, ssl });
  try {
    return await connect(host, options, ssl);
  } catch (problem) {
    if (!messageOf(problem).includes('does not support SSL')) throw problem;
    return await connect(host, options, false);
  }
}

/** @throws Error that names the parameter that would help, if the server offers no TLS or its certificate is not trusted */
async function connectWithTls(
  mode: ReturnType<typeof sslModeFor>,
  host: PostgresHost,
  { ssl, ...options }: ConnectionOptions & { readonly ssl: TlsOptions },
): Promise<pg.Client> {
  try {
    return await connect(host, options, ssl);
  } catch (cause) {
    const advice = adviceFor(cause, mode);
    throw advice === undefined ? cause : new Error(`${messageOf(cause)} (${advice})`, { cause });
  }
}

function adviceFor(problem: unknown, mode: string): string | undefined {
  if (messageOf(problem).includes('does not support SSL'))
    return `sslmode is ${mode}; set up TLS on the server, or add sslmode=disable to the address of the database if the network is trusted`;
  if (codeOf(problem) === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `sslmode is ${mode}; name the server as its certificate does, or add sslmode=verify-ca to the address of the database`;
  if (isCertificateError.test(codeOf(problem)))
    return `sslmode is ${mode}; add sslrootcert=FILE with the certificate of the authority to the address of the database, or sslmode=require to encrypt without verifying the server`;
  return undefined;
}

/** The codes of OpenSSL's verification errors in Node.js. */
const isCertificateError = /CERT|UNABLE_TO_|SELF_SIGNED|ISSUER/;

type TlsOptions = Exclude<ClientConfig['ssl'], boolean | undefined>;

async function tlsOptions(
  mode: ReturnType<typeof sslModeFor>,
  { sslRootCert, sslCert, sslKey }: PostgresLocation,
): Promise<TlsOptions> {
  return {
    rejectUnauthorized: mode === 'verify-ca' || mode === 'verify-full',
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...(sslRootCert !== undefined && { ca: await readFile(sslRootCert, 'utf8') }),
    ...(sslCert !== undefined && { cert: await readFile(sslCert, 'utf8') }),
    ...(sslKey !== undefined && { key: await readFile(sslKey, 'utf8') }),
  };
}

async function connect(
  { host, port }: PostgresHost,
  { location, passwordFile }: ConnectionOptions,
  ssl: ClientConfig['ssl'],
): Promise<pg.Client> {
  const password = passwordFile === undefined ? location.password : await readPassword(passwordFile);
  const client = new pg.Client({
    host,
    port,
    database: location.database,
    ssl,
    types: numberTypes,
    keepAlive: true,
    application_name: location.applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: queryTimeoutMs,
    ...(location.user !== undefined && { user: location.user }),
    ...(password !== undefined && { password }),
  });
  // The error of a query reaches its caller. The error of an idle connection would otherwise end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (problem) {
    closeNow(client);
    throw problem;
  }
}

async function readPassword(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  } catch (cause) {
    throw new Error(`cannot read database-password-file ${path}: ${messageOf(cause)}`, { cause });
  }
}

/** Closes a connection without waiting for the server, which may not answer. */
export function closeNow(client: pg.Client): void {
  client.end().catch(() => {});
  socketOf(client)?.destroy();
}

/** `pg` has no other way to close a connection to a server that does not answer. */
function socketOf(client: pg.Client): { destroy: () => void } | undefined {
  return (client as unknown as { connection?: { stream?: { destroy: () => void } } }).connection?.stream;
}

/** int8 and numeric (`SELECT oid, typname FROM pg_type`). */
const numberTypeIds: readonly number[] = [20, 1700];

/** Returns 64-bit integers and sums as numbers: all are smaller than 2^53. `pg` itself returns them as text. */
const numberTypes: CustomTypesConfig = {
  getTypeParser: (...[type, format]: Parameters<CustomTypesConfig['getTypeParser']>): unknown =>
    numberTypeIds.includes(type) ? Number : pg.types.getTypeParser(type, format),
};

/** Returns the code of an error of Node or PostgreSQL, or an empty string. */
export function codeOf(problem: unknown): string {
  return problem instanceof Error && 'code' in problem ? String(problem.code) : '';
}
