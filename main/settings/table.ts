/**
 * The table of the operator's settings: kind, default and description of each. The flag is `--<name>`, the
 * environment variable `PLATEN_<NAME>`, the key in config.json `<name>`. `docs/settings.md` is generated from it.
 * To add a setting, add one row and the line that uses it.
 */
import { availableParallelism } from 'node:os';
import { integer, listOf, oneOf, onOff, text, type Kind, type RowValue } from '../fields/kinds.ts';
import { duration, megabytes, timeLimit } from '../fields/measures.ts';
import { readHostPattern } from '../network/policy.ts';
import { availableMemory } from './own-memory.ts';
import {
  accountList,
  baseUrl,
  databaseUrl,
  folders,
  origins,
  proxyUrl,
  vendorPrefix,
} from './setting-kinds.ts';

export interface SettingRow {
  readonly kind: Kind<unknown>;
  /** As an operator would write it. */
  readonly default?: string;
  /** Shown in the documentation if the default depends on the machine, or there is none. */
  readonly defaultSays?: string;
  readonly says: string;
  readonly secret?: true;
}

export const table = {
  host: { kind: text('a host name or an address'), default: '127.0.0.1', says: 'Address to listen on.' },
  port: { kind: integer(0, 65_535), default: '8730', says: 'Port to listen on; 0 takes any free one.' },
  data: {
    kind: text('a folder'),
    defaultSays: "the platform's per-user application data folder",
    says: 'Data folder: accounts, logs, configuration, work files.',
  },
  accounts: {
    kind: accountList,
    defaultSays: 'none',
    secret: true,
    says: 'Accounts to create if missing: `user:key[:credits],...`. Without credits an account is unlimited. A changed key replaces the old one; the balance of an existing account does not change.',
  },
  demo: {
    kind: onOff,
    defaultSays: 'on while listening on loopback only, else off',
    says: 'The demo account: user `demo` with key `demo`, 100,000 credits a day.',
  },
  workers: {
    kind: integer(1, 64),
    default: String(Math.min(64, availableParallelism())),
    defaultSays: 'number of cores',
    says: 'Windows that render at the same time.',
  },
  queue: {
    kind: integer(0, 100_000),
    default: '64',
    says: 'Callers that may wait for a window; further ones get 503.503.',
  },
  'queue-timeout': { kind: timeLimit, default: '30s', says: 'Maximum wait for a window; then 503.503.' },
  'job-timeout': {
    kind: timeLimit,
    default: '60s',
    says: 'Time limit of a job, from the moment a window takes it.',
  },
  'settle-limit': {
    kind: timeLimit,
    default: '5s',
    says: 'Maximum time for a page to settle after loading; a request can override it with settle_limit.',
  },
  'max-upload': { kind: megabytes, default: '300MB', says: 'Maximum size of a whole request.' },
  'upload-timeout': { kind: timeLimit, default: '10m', says: 'Maximum time to receive a request.' },
  'max-output': {
    kind: megabytes,
    default: '500MB',
    says: 'Maximum size of a document or image; a larger one fails with 400.306.',
  },
  'page-requests': {
    kind: integer(1, 10_000_000),
    default: '5000',
    says: 'Maximum number of requests of a page; further ones are blocked, and the page is converted without them.',
  },
  'page-size': {
    kind: megabytes,
    default: '500MB',
    says: 'Maximum data that a page may load over the network, in total; the rest is blocked, and the page is converted without it.',
  },
  'page-memory': {
    kind: megabytes,
    default: `${Math.ceil(availableMemory() / 2e6)}MB`,
    defaultSays: "half of the machine's memory",
    says: 'Maximum memory of a page; a page that uses more fails with 400.306.',
  },
  'memory-reserve': {
    kind: megabytes,
    default: '300MB',
    says: 'Memory that must be free before a job starts; with less, jobs wait and /ready reports it.',
  },
  connections: {
    kind: integer(1, 1_000_000),
    default: '1000',
    says: 'Maximum number of open connections from callers; further ones are closed.',
  },
  'tls-cert': {
    kind: text('a file'),
    defaultSays: 'none: plain HTTP',
    says: 'Certificate for HTTPS, with its chain: a PEM file (together with `tls-key`) or a PKCS #12 file (.pfx, .p12). Reloaded when it changes.',
  },
  'tls-key': { kind: text('a file'), defaultSays: 'none', says: 'Private key of `tls-cert`: a PEM file.' },
  'tls-passphrase': {
    kind: text('a passphrase'),
    defaultSays: 'none',
    secret: true,
    says: 'Passphrase of `tls-key`, or of the PKCS #12 file.',
  },
  'cors-origins': {
    kind: origins,
    defaultSays: 'none',
    says: 'Origins whose scripts may call the API from a browser: comma list such as `https://erp.example.com`.',
  },
  network: {
    kind: oneOf(['intranet', 'public', 'offline']),
    default: 'intranet',
    says: 'What pages may reach: `public` addresses only, `intranet` also private ranges, `offline` nothing. Loopback, link-local (cloud metadata), multicast and unspecified addresses are blocked under every policy.',
  },
  'network-allow': {
    kind: hostPatterns(),
    defaultSays: 'none',
    says: 'Addresses that pages may reach in addition: comma list of host patterns, addresses, CIDRs, each with optional `:port`.',
  },
  'network-deny': {
    kind: hostPatterns(),
    defaultSays: 'none',
    says: 'Addresses that pages may not reach, in the same form; overrides `network-allow`.',
  },
  'upstream-proxy': {
    kind: proxyUrl,
    defaultSays: 'none',
    secret: true,
    says: 'HTTP proxy for loading pages: `http://[user:password@]host:port`.',
  },
  'base-url': {
    kind: baseUrl,
    defaultSays:
      "the request's `Host` when it is a loopback name or the listening address, else the listening address",
    says: 'Base URL of links in responses (such as x-service-debug-log).',
  },
  alias: {
    kind: vendorPrefix,
    defaultSays: 'none',
    says: 'Vendor prefix in response headers and CSS classes, in addition to `service`.',
  },
  tray: {
    kind: onOff,
    defaultSays: 'on if there is a desktop, otherwise off',
    says: 'Tray icon and its window.',
  },
  database: {
    kind: databaseUrl,
    defaultSays: 'in the data folder',
    says: 'Accounts database.',
  },
  'hot-folders': {
    kind: folders,
    defaultSays: 'none',
    says: 'Folders whose HTML files, SVGs and archives are converted: comma list of absolute paths. `platen.json` in each folder configures the conversion (docs/hot-folder.md).',
  },
  'archive-entries': {
    kind: integer(1, 1_000_000),
    default: '10000',
    says: 'Maximum number of files and folders in an archive.',
  },
  'archive-size': { kind: megabytes, default: '1GB', says: 'Maximum unpacked size of an archive.' },
  'archive-ratio': {
    kind: integer(1, 100_000),
    default: '100',
    says: 'Maximum ratio of unpacked to packed size, checked above 50 MB unpacked.',
  },
  'archive-depth': {
    kind: integer(1, 1000),
    default: '32',
    says: 'Maximum folder depth in an archive.',
  },
  'archive-name': {
    kind: integer(1, 255),
    default: '255',
    says: 'Maximum length of a file or folder name in an archive, in bytes.',
  },
  'archive-time': { kind: timeLimit, default: '10s', says: 'Maximum time to unpack an archive.' },
  'window-jobs': {
    kind: integer(1, 1_000_000),
    default: '500',
    says: 'Number of jobs after which a window is replaced.',
  },
  restart: {
    kind: onOff,
    default: 'on',
    says: 'Restarts the service after it crashed or hung. Turn it off if a service manager does this.',
  },
  'hang-timeout': {
    kind: timeLimit,
    default: '60s',
    says: 'Time without a response after which a hung service is killed and restarted.',
  },
  'debug-log-keep': { kind: duration, default: '24h', says: 'How long debug logs are kept.' },
  'jobs-keep': {
    kind: integer(0, 10_000_000),
    default: '10000',
    says: 'Number of jobs kept in the record of each account (GET /jobs).',
  },
  'jobs-keep-time': {
    kind: duration,
    default: '720h',
    says: 'How long a job is kept in the record. Its debug log is deleted with it at the latest.',
  },
  'log-level': {
    kind: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    says: 'Minimum level of the service log.',
  },
  'log-format': {
    kind: oneOf(['pretty', 'json']),
    defaultSays: '`pretty` on a terminal, otherwise `json`',
    says: 'Format of the service log; in a file the default is `json`.',
  },
  'log-file': {
    kind: text('a file'),
    defaultSays: 'none: standard error',
    says: 'File for the service log; a relative path is in the data folder.',
  },
  'log-file-size': {
    kind: megabytes,
    default: '10MB',
    says: 'Size at which the log file is rotated; older files are kept as `.1`, `.2` and so on.',
  },
  'log-file-count': {
    kind: integer(1, 1000),
    default: '10',
    says: 'Number of log files to keep, including the current one.',
  },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof table;

/** All settings by name; durations in milliseconds, sizes in bytes. */
export type Settings = { readonly [N in SettingName]: RowValue<(typeof table)[N]> };

export const settingNames = Object.keys(table) as SettingName[];

/** `job-timeout` -> `PLATEN_JOB_TIMEOUT`. */
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
 * Renamed settings: old name to current name. config.json is read with both; the next start writes the current
 * names into it (main/upgrade). Add a row only together with a new data folder format. An older program then
 * reports the format instead of an unknown setting.
 */
export const renamedSettings: Readonly<Record<string, string>> = {};

/** Returns the entries under their current names. If both names are present, the current one wins. */
export function withCurrentNames<Value>(
  entries: readonly (readonly [string, Value])[],
  renamed: Readonly<Record<string, string>> = renamedSettings,
): (readonly [string, Value])[] {
  const given = new Set(entries.map(([name]) => name));
  return entries.flatMap(([name, value]) => {
    const current = Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name;
    return current !== name && given.has(current) ? [] : [[current, value] as const];
  });
}
