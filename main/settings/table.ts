/**
 * The table of the operator's settings, with the kind, default and description of each. The flag is `--<name>`, the environment
 * variable `PLATEN_<NAME>`, the key in config.json `<name>`. `docs/settings.md` is generated from the table. To add a setting, add
 * one row and the line that uses it.
 */
import { availableParallelism, totalmem } from 'node:os';
import {
  integer,
  listOf,
  oneOf,
  onOff,
  text,
  type Kind,
  type RowValue,
  duration,
  megabytes,
  timeLimit,
} from '../fields/kinds.ts';
import { readHostPattern } from '../network/policy.ts';
import { postgresLocation } from './postgres-location.ts';
import {
  accountFiles,
  accountList,
  baseUrl,
  folders,
  origins,
  proxyUrl,
  timestampUrl,
  vendorPrefix,
} from './setting-kinds.ts';

export interface SettingRow {
  readonly kind: Kind<unknown>;
  /** The default as an operator would write it. */
  readonly default?: string;
  /** Shown in the documentation instead, if the default depends on the machine or there is none. */
  readonly defaultDescription?: string;
  readonly description: string;
  readonly secret?: true;
}

export const table = {
  host: {
    kind: text('a host name or an address'),
    default: '127.0.0.1',
    description: 'Address to listen on.',
  },
  port: {
    kind: integer(0, 65_535),
    default: '8730',
    description: 'Port to listen on; 0 selects any free port.',
  },
  data: {
    kind: text('a folder'),
    defaultDescription: "the platform's per-user application data folder",
    description: 'Data folder: accounts, logs, configuration, work files.',
  },
  accounts: {
    kind: accountList,
    defaultDescription: 'none',
    secret: true,
    description:
      'Accounts to create if missing: `user:key[:credits],...`. Without credits an account is unlimited. A changed key replaces the old one; the balance of an existing account does not change.',
  },
  demo: {
    kind: onOff,
    defaultDescription: 'on while listening on loopback only, else off',
    description: 'The demo account: user `demo` with key `demo`, 100,000 credits a day.',
  },
  workers: {
    kind: integer(1, 64),
    default: String(Math.min(64, availableParallelism())),
    defaultDescription: 'number of cores',
    description: 'Windows that render at the same time.',
  },
  queue: {
    kind: integer(0, 100_000),
    default: '64',
    description: 'Number of requests that may wait for a window; further requests get 503.503.',
  },
  'queue-timeout': {
    kind: timeLimit,
    default: '30s',
    description: 'Maximum time to wait for a window; after that the response is 503.503.',
  },
  'job-timeout': {
    kind: timeLimit,
    default: '60s',
    description: 'Time limit of a job, counted from when a window takes the job.',
  },
  'settle-limit': {
    kind: timeLimit,
    default: '5s',
    description:
      'Maximum time for a page to settle after loading; a request can override it with settle_limit.',
  },
  'max-upload': { kind: megabytes, default: '300MB', description: 'Maximum size of a whole request.' },
  'upload-timeout': { kind: timeLimit, default: '10m', description: 'Maximum time to receive a request.' },
  'max-output': {
    kind: megabytes,
    default: '500MB',
    description: 'Maximum size of a document or image; a larger one fails with 400.306.',
  },
  'page-requests': {
    kind: integer(1, 10_000_000),
    default: '5000',
    description:
      'Maximum number of requests of a page; further requests are blocked, and the page is converted without them.',
  },
  'page-size': {
    kind: megabytes,
    default: '500MB',
    description:
      'Maximum data that a page may load over the network, in total; the rest is blocked, and the page is converted without it.',
  },
  'page-memory': {
    kind: megabytes,
    default: `${Math.ceil(availableMemory() / 2e6)}MB`,
    defaultDescription: "half of the machine's memory",
    description: 'Maximum memory of a page; a page that uses more fails with 400.306.',
  },
  webgl: {
    kind: onOff,
    default: 'on',
    description:
      'WebGL, for maps and 3D scenes. SwiftShader draws it on the CPU, in a process that all windows share; Chromium recommends that for trusted pages only. `off` for untrusted pages that need no WebGL.',
  },
  'memory-reserve': {
    kind: megabytes,
    default: '300MB',
    description: 'Memory that must be free before a job starts; with less, jobs wait and /ready reports it.',
  },
  connections: {
    kind: integer(1, 1_000_000),
    default: '1000',
    description:
      'Maximum number of open connections from callers; then the caller with the most loses one, idle ones first. A tenth stays free of running requests, for `/health`, `/ready` and operators.',
  },
  'connections-per-account': {
    kind: integer(1, 1_000_000),
    defaultDescription: 'half of `connections`',
    description:
      'Maximum number of connections of one account with running requests; further requests get 429.120. Operators have no such limit.',
  },
  'connections-per-address': {
    kind: integer(1, 1_000_000),
    defaultDescription: 'three quarters of `connections`',
    description:
      'Maximum number of connections of one address without a valid key; then its oldest idle one is closed. A proxy in front needs no higher value, because requests with a key count for their account.',
  },
  'tls-cert': {
    kind: text('a file'),
    defaultDescription: 'none: plain HTTP',
    description:
      'Certificate for HTTPS, with its chain: a PEM file (together with `tls-key`) or a PKCS #12 file (.pfx, .p12). Reloaded when it changes.',
  },
  'tls-key': {
    kind: text('a file'),
    defaultDescription: 'none',
    description: 'Private key of `tls-cert`: a PEM file.',
  },
  'tls-passphrase': {
    kind: text('a passphrase'),
    defaultDescription: 'none',
    secret: true,
    description: 'Passphrase of `tls-key`, or of the PKCS #12 file.',
  },
  'signing-certificate': {
    kind: accountFiles,
    defaultDescription: 'none',
    description:
      "Certificates for the signatures of accounts (`sign=true`): `account=file,...`. Each file is a PKCS #12 file (.p12, .pfx) with the key and the issuers' certificates. Read again when it changes. Relative paths are in the data folder.",
  },
  'signing-password': {
    kind: text('a password'),
    defaultDescription: 'none',
    secret: true,
    description:
      'Password of the files of `signing-certificate`. A file `<path>.password` beside a certificate takes precedence.',
  },
  'timestamp-url': {
    kind: timestampUrl,
    defaultDescription: 'none: signatures without time stamps',
    description: 'Address of a time stamp server (RFC 3161), whose time stamps signatures get.',
  },
  'keep-inputs': {
    kind: accountFiles,
    defaultDescription: 'none',
    description:
      'Accounts whose requests are kept for `platen rehearse`, the newest 100 of each, encrypted: `account=key file,...`. A key file has at least 32 random bytes, is outside the data folder, and only its owner can read it.',
  },
  'cors-origins': {
    kind: origins,
    defaultDescription: 'none',
    description:
      'Origins whose scripts may call the API from a browser: comma list such as `https://erp.example.com`.',
  },
  network: {
    kind: oneOf(['intranet', 'public', 'offline']),
    default: 'intranet',
    description:
      'What pages may reach: `public` addresses only, `intranet` also private ranges, `offline` nothing. Loopback, link-local (cloud metadata), multicast and unspecified addresses are blocked under every policy.',
  },
  'network-allow': {
    kind: hostPatterns(),
    defaultDescription: 'none',
    description:
      'Addresses that pages may reach in addition: comma list of host patterns, addresses, CIDRs, each with optional `:port`.',
  },
  'network-deny': {
    kind: hostPatterns(),
    defaultDescription: 'none',
    description: 'Addresses that pages may not reach, in the same form; overrides `network-allow`.',
  },
  'upstream-proxy': {
    kind: proxyUrl,
    defaultDescription: 'none',
    secret: true,
    description: 'HTTP proxy for loading pages: `http://[user:password@]host:port`.',
  },
  'base-url': {
    kind: baseUrl,
    defaultDescription:
      "the request's `Host` when it is a loopback name or the listening address, else the listening address",
    description: 'Base URL of links in responses (such as x-service-debug-log).',
  },
  alias: {
    kind: vendorPrefix,
    defaultDescription: 'none',
    description: 'Vendor prefix in response headers and CSS classes, in addition to `service`.',
  },
  tray: {
    kind: onOff,
    defaultDescription: 'on if there is a desktop, otherwise off',
    description: 'Tray icon and its window.',
  },
  database: {
    kind: postgresLocation,
    defaultDescription: 'an SQLite file in the data folder',
    secret: true,
    description:
      'PostgreSQL database that several nodes share (docs/cluster.md): `postgres://user@host:5432/platen`, with further hosts after commas.',
  },
  'database-password-file': {
    kind: text('a file'),
    defaultDescription: 'none: `PGPASSWORD`, or the password file of libpq',
    description:
      'File with the password for `database`. Read again for each connection. A relative path starts from the data folder.',
  },
  'encryption-key-file': {
    kind: text('a file'),
    defaultDescription: '`encryption.key` in the data folder',
    description:
      'File with the keys that encrypt asynchronous jobs until they have ended, their outputs, and webhook secrets (docs/operations.md). The first start creates it. All nodes of a `database` need the same (docs/cluster.md). A relative path starts from the data folder.',
  },
  'node-name': {
    kind: text('a name'),
    defaultDescription: "the machine's name and the port",
    description: 'Name of this node among several, in `platen node list` and the metrics.',
  },
  'output-keep': {
    kind: duration,
    default: '24h',
    description:
      'How long the output of an asynchronous job is kept, and at most, if a request asks for another time (`keep`).',
  },
  'jobs-queue': {
    kind: integer(0, 10_000_000),
    default: '50000',
    description: 'Number of asynchronous jobs that may wait; further ones get 503.503.',
  },
  'jobs-queue-per-account': {
    kind: integer(1, 10_000_000),
    defaultDescription: 'as many as places are left for others',
    description: 'Number of asynchronous jobs of one account that may wait; further ones get 429.120.',
  },
  'uploads-per-account': {
    kind: megabytes,
    defaultDescription: 'as much as is free on the disk; 10 GB if the files are in the database',
    description:
      'Maximum size of the requests and uploads of asynchronous jobs of one account that have not ended; further ones get 429.120. Never more than is free on the disk.',
  },
  'outputs-per-account': {
    kind: megabytes,
    defaultDescription: 'as much as is free on the disk; 10 GB if the files are in the database',
    description:
      'Maximum size of the kept outputs of asynchronous jobs of one account. Beyond it, its jobs fail with 429.120, and no more are accepted. Never more than is free on the disk.',
  },
  'logs-per-account': {
    kind: megabytes,
    defaultDescription: 'as much as is free on the disk',
    description:
      "Maximum size of the debug logs of one account on a node; beyond it, the account's oldest ones are deleted. Never more than is free on the disk.",
  },
  'job-files': {
    kind: text('a folder'),
    defaultDescription: 'the database if `database` is set, otherwise the data folder',
    description:
      'Folder for the uploads and outputs of asynchronous jobs. All nodes must have access to it. A relative path starts from the data folder.',
  },
  'hot-folders': {
    kind: folders,
    defaultDescription: 'none',
    description:
      'Folders whose HTML files, SVGs and archives are converted: comma list of absolute paths. `platen.json` in each folder configures the conversion (docs/hot-folder.md).',
  },
  'archive-entries': {
    kind: integer(1, 1_000_000),
    default: '10000',
    description: 'Maximum number of files and folders in an archive.',
  },
  'archive-size': { kind: megabytes, default: '1GB', description: 'Maximum unpacked size of an archive.' },
  'archive-ratio': {
    kind: integer(1, 100_000),
    default: '100',
    description: 'Maximum ratio of unpacked to packed size, checked above 50 MB unpacked.',
  },
  'archive-depth': {
    kind: integer(1, 1000),
    default: '32',
    description: 'Maximum folder depth in an archive.',
  },
  'archive-name': {
    kind: integer(1, 255),
    default: '255',
    description: 'Maximum length of a file or folder name in an archive, in bytes.',
  },
  'archive-time': { kind: timeLimit, default: '60s', description: 'Maximum time to unpack an archive.' },
  'window-jobs': {
    kind: integer(1, 1_000_000),
    default: '500',
    description: 'Number of jobs after which a window is replaced.',
  },
  restart: {
    kind: onOff,
    default: 'on',
    description: 'Restarts the service after it crashed or hung. Turn it off if a service manager does this.',
  },
  'hang-timeout': {
    kind: timeLimit,
    default: '60s',
    description: 'Time without a response after which a hung service is killed and restarted.',
  },
  'debug-log-keep': { kind: duration, default: '24h', description: 'How long debug logs are kept.' },
  'jobs-keep': {
    kind: integer(0, 10_000_000),
    default: '10000',
    description: 'Number of job records kept for each account (GET /jobs).',
  },
  'jobs-keep-time': {
    kind: duration,
    default: '720h',
    description:
      "How long a job record is kept. The job's debug log is deleted with the record at the latest.",
  },
  'log-level': {
    kind: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    description: 'Minimum level of the service log.',
  },
  'log-format': {
    kind: oneOf(['pretty', 'json']),
    defaultDescription: '`pretty` on a terminal, otherwise `json`',
    description: 'Format of the service log; in a file the default is `json`.',
  },
  'log-file': {
    kind: text('a file'),
    defaultDescription: 'none: standard error',
    description: 'File for the service log; a relative path starts from the data folder.',
  },
  'log-file-size': {
    kind: megabytes,
    default: '10MB',
    description: 'Size at which the log file is rotated; older files are kept as `.1`, `.2` and so on.',
  },
  'log-file-count': {
    kind: integer(1, 1000),
    default: '10',
    description: 'Number of log files to keep, including the current one.',
  },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof table;

/** All settings by name; durations in milliseconds, sizes in bytes. */
export type Settings = { readonly [N in SettingName]: RowValue<(typeof table)[N]> };

export const settingNames = Object.keys(table) as SettingName[];

/** Returns the name of the environment variable, such as `PLATEN_JOB_TIMEOUT` for `job-timeout`. */
export function environmentName(name: string): string {
  return `PLATEN_${name.toUpperCase().replaceAll('-', '_')}`;
}

function hostPatterns() {
  return listOf(
    'host patterns, addresses or CIDRs, each with optional :port, separated by commas',
    readHostPattern,
  );
}

/**
 * Renamed settings: old name to current name. config.json may contain either name; the next start replaces old names in it
 * (main/upgrade). Add a row only together with a new data folder format. An older version of Platen then reports the format instead
 * of an unknown setting.
 */
export const renamedSettings: Readonly<Record<string, string>> = {};

/** Returns the entries under their current names. If both names are present, the entry with the current name is kept. */
export function withCurrentNames<Value>(
  entries: readonly (readonly [string, Value])[],
  renamed: Readonly<Record<string, string>> = renamedSettings,
): (readonly [string, Value])[] {
  const names = new Set(entries.map(([name]) => name));
  return entries.flatMap(([name, value]) => {
    const current = Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name;
    return current !== name && names.has(current) ? [] : [[current, value] as const];
  });
}

/** Returns the memory of the machine or, if less, of the container, in bytes. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
