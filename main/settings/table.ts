/**
 * The operator's settings: each once, with its default, doc line and kind. The flag is `--<name>`, the environment
 * variable `PLATEN_<NAME>`, the key in config.json `<name>`; `docs/settings.md` is made from it.
 * To add a setting: one row here and the line that uses it.
 */
import { availableParallelism } from 'node:os';
import type { Kind, RowValue } from '../fields/kind.ts';
import { integer, listOf, oneOf, onOff, text } from '../fields/kinds.ts';
import { duration, megabytes, timeLimit } from '../fields/measures.ts';
import { readHostPattern } from '../network/policy.ts';
import { ownMemory } from './own-memory.ts';
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
  /** As the operator would write it. */
  readonly default?: string;
  /** What stands in the documentation when the default depends on the machine, or there is none. */
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
    says: 'Accounts to make sure of: `user:key[:credits],...`; without credits an account is unlimited. A changed key replaces the old one, the balance of an account that exists stays.',
  },
  demo: {
    kind: onOff,
    defaultSays: 'on while listening on loopback only, else off',
    says: 'The demo account, user `demo` with key `demo`, 100,000 credits a day.',
  },
  workers: {
    kind: integer(1, 64),
    default: String(Math.min(64, availableParallelism())),
    defaultSays: 'number of cores',
    says: 'Windows rendering at once.',
  },
  queue: {
    kind: integer(0, 100_000),
    default: '64',
    says: 'Callers that may wait for a window; one more gets 503.503.',
  },
  'queue-timeout': { kind: timeLimit, default: '30s', says: 'Longest wait for a window; then 503.503.' },
  'job-timeout': {
    kind: timeLimit,
    default: '60s',
    says: 'Job limit, from the moment a window takes the job.',
  },
  'max-upload': { kind: megabytes, default: '300MB', says: 'Largest request, as a whole.' },
  'upload-timeout': { kind: timeLimit, default: '10m', says: 'Longest time for a request to arrive.' },
  'max-output': {
    kind: megabytes,
    default: '500MB',
    says: 'Largest document or picture; beyond it 400.306.',
  },
  'page-requests': {
    kind: integer(1, 10_000_000),
    default: '5000',
    says: 'Requests a page may make; further ones are refused, and the page is converted without them.',
  },
  'page-size': {
    kind: megabytes,
    default: '500MB',
    says: 'What a page may load over the network, all its parts together; the rest is cut off, and the page is converted without it.',
  },
  'page-memory': {
    kind: megabytes,
    default: `${Math.ceil(ownMemory() / 2e6)}MB`,
    defaultSays: "half of the machine's memory",
    says: 'Memory a page may use; one that uses more ends as 400.306.',
  },
  'memory-reserve': {
    kind: megabytes,
    default: '300MB',
    says: 'Memory that must be free for a job to begin; while there is less, jobs wait, and /ready says so.',
  },
  connections: {
    kind: integer(1, 1_000_000),
    default: '1000',
    says: 'Connections of callers at once; further ones are closed.',
  },
  'tls-cert': {
    kind: text('a file'),
    defaultSays: 'none: plain HTTP',
    says: 'Certificate for HTTPS, with its chain: a PEM file beside `tls-key`, or a PKCS #12 file (.pfx, .p12). Read anew when it changes.',
  },
  'tls-key': { kind: text('a file'), defaultSays: 'none', says: 'Private key of `tls-cert`, a PEM file.' },
  'tls-passphrase': {
    kind: text('a passphrase'),
    defaultSays: 'none',
    secret: true,
    says: 'Passphrase of `tls-key`, or of the PKCS #12 file.',
  },
  'cors-origins': {
    kind: origins,
    defaultSays: 'none',
    says: 'Web pages whose scripts may use the API from a browser: comma list of origins such as `https://erp.example.com`.',
  },
  network: {
    kind: oneOf(['intranet', 'public', 'offline']),
    default: 'intranet',
    says: 'What pages may reach: `public` addresses only, `intranet` also private ranges, `offline` nothing. Loopback, link-local (cloud metadata), multicast and unspecified addresses are refused under each of them.',
  },
  'network-allow': {
    kind: hostPatterns(),
    defaultSays: 'none',
    says: 'Exceptions that may be reached: comma list of host patterns, addresses, CIDRs, each with optional `:port`.',
  },
  'network-deny': {
    kind: hostPatterns(),
    defaultSays: 'none',
    says: 'Exceptions that may not be reached, in the same form; they beat `network-allow`.',
  },
  'upstream-proxy': {
    kind: proxyUrl,
    defaultSays: 'none',
    secret: true,
    says: 'HTTP proxy through which pages are loaded: `http://[user:password@]host:port`.',
  },
  'base-url': {
    kind: baseUrl,
    defaultSays:
      "the request's `Host` when it is a loopback name or the listening address, else the listening address",
    says: 'Base URL of links in answers (such as x-service-debug-log).',
  },
  alias: {
    kind: vendorPrefix,
    defaultSays: 'none',
    says: 'A vendor prefix beside `service`, in response headers and CSS classes.',
  },
  tray: {
    kind: onOff,
    defaultSays: 'on when there is a desktop, else off',
    says: 'The icon in the tray, and the window behind it.',
  },
  database: {
    kind: databaseUrl,
    defaultSays: 'in the data folder',
    says: 'Accounts database.',
  },
  'hot-folders': {
    kind: folders,
    defaultSays: 'none',
    says: 'Folders in which each HTML file, SVG or archive is converted: comma list of absolute paths; `platen.json` in each says how (docs/hot-folder.md).',
  },
  'archive-entries': {
    kind: integer(1, 1_000_000),
    default: '10000',
    says: 'Files and folders that an archive may hold.',
  },
  'archive-size': { kind: megabytes, default: '1GB', says: 'Unpacked size of an archive.' },
  'archive-ratio': {
    kind: integer(1, 100_000),
    default: '100',
    says: 'Times its own size to which an archive may unpack, once that is more than 50 MB.',
  },
  'archive-depth': {
    kind: integer(1, 1000),
    default: '32',
    says: 'Folders inside one another in an archive.',
  },
  'archive-name': {
    kind: integer(1, 255),
    default: '255',
    says: "Bytes of one file's or folder's name in an archive.",
  },
  'archive-time': { kind: timeLimit, default: '10s', says: 'Longest time of unpacking an archive.' },
  'window-jobs': {
    kind: integer(1, 1_000_000),
    default: '500',
    says: 'Jobs after which a window is replaced by a new one.',
  },
  restart: {
    kind: onOff,
    default: 'on',
    says: 'Starts the service anew after it crashed or hung; off where something else does that.',
  },
  'hang-timeout': {
    kind: timeLimit,
    default: '60s',
    says: 'Time without a sign of life after which a service that hangs is killed, and started anew.',
  },
  'debug-log-keep': { kind: duration, default: '24h', says: 'How long debug logs are kept.' },
  'jobs-keep': {
    kind: integer(0, 10_000_000),
    default: '10000',
    says: 'Jobs of each account that stay in the record (GET /jobs).',
  },
  'jobs-keep-time': {
    kind: duration,
    default: '720h',
    says: 'How long a job stays in the record; its debug log goes with it at the latest.',
  },
  'log-level': {
    kind: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    says: "Least level of the service's log.",
  },
  'log-format': {
    kind: oneOf(['pretty', 'json']),
    defaultSays: '`pretty` on a terminal, else `json`',
    says: "Form of the service's log; `json` in a file unless this says otherwise.",
  },
  'log-file': {
    kind: text('a file'),
    defaultSays: 'none: standard error',
    says: "File for the service's log; a relative one is in the data folder.",
  },
  'log-file-size': {
    kind: megabytes,
    default: '10MB',
    says: 'Size at which the log file begins anew; the older ones are kept beside it as `.1`, `.2` and so on.',
  },
  'log-file-count': {
    kind: integer(1, 1000),
    default: '10',
    says: 'Log files that are kept, the one being written included.',
  },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof table;

/** Every setting by its name; durations in milliseconds, sizes in bytes. */
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
