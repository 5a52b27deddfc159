/** The checks of `platen config check`, in the order of a start. */
import { createServer, connect } from 'node:net';
import { resolve, dirname, join, delimiter } from 'node:path';
import { access } from 'node:fs/promises';
import { existsSync, statfsSync, statSync, accessSync, constants, readFileSync } from 'node:fs';
import { listenOn } from '../../preflight/take-address.ts';
import { isDemoExposed, hasUnencryptedRemoteTraffic } from '../../settings/exposure.ts';
import type { LoadedSettings } from '../../settings/load.ts';
import { localUrl, requestLocal } from '../local-service.ts';
import { openCertificate } from '../../preflight/certificate.ts';
import { KeptInputs } from '../../kept-inputs/kept-inputs.ts';
import { readSigningCertificate, signingFiles } from '../../preflight/signing-certificate.ts';
import { isDataFolderUsed } from '../../upgrade/backup.ts';
import { needsUpgrade, refuseNewer } from '../../upgrade/upgrade.ts';
import { checkServiceLog } from '../../log/service-log.ts';
import { assertAcceptsFiles } from '../../launch/make-folder.ts';
import { runProgram } from '../../launch/run-program.ts';
import { locateRuntime } from '../../launch/runtime.ts';
import { hasDesktop } from '../../launch/display.ts';
import { databasePath, databaseVersion } from '../../accounts/store/sqlite/sqlite-database.ts';
import { existingFontEnvironment } from '../../launch/font-folder.ts';
import { fontFolders } from '../../settings/data-folder.ts';
import { messageOf } from '../../failure/failure.ts';
import { shownLocation, type PostgresLocation } from '../../settings/postgres-location.ts';
import type { SchemaVersion } from '../../accounts/store/schema-version.ts';

// Checks whether the service can listen or already does, and who can reach it.

export const address: ConfigCheck = {
  name: 'address',
  async run({ settings, servicePid }) {
    const { host, port } = settings;
    const server = createServer();
    try {
      await listenOn(server, { host, port });
      await new Promise((resolve) => server.close(resolve));
    } catch (problem) {
      if (servicePid === undefined || (await requestLocal(settings, '/health')) === undefined) throw problem;
      return withExposureWarning(
        settings,
        `${localUrl(settings)} is used by the running service, process ${servicePid}.`,
      );
    }
    const where = port === 0 ? `Any free port on ${host} is allowed` : `Port ${port} on ${host} is free`;
    return withExposureWarning(settings, `${where}.`);
  },
};

function withExposureWarning(settings: LoadedSettings, message: string): string | Warning {
  if (isDemoExposed(settings))
    return {
      warning: `${message} The demo account's key is public, so anyone who can reach it can convert; set demo to off.`,
    };
  if (settings['tls-cert'] !== undefined || !hasUnencryptedRemoteTraffic(settings)) return message;
  return {
    warning: `${message} Keys and documents are sent unencrypted; set tls-cert, or set base-url to the https address of a reverse proxy.`,
  };
}

// Checks whether certificate and key match, and how long the certificate is valid.

const dayMs = 86_400_000;

export const certificate: ConfigCheck = {
  name: 'certificate',
  async run({ settings }) {
    const opened = await openCertificate(settings);
    if (opened === undefined) return undefined;
    const file = opened.files.cert;
    const validity = { file, until: opened.validUntil, consequence: 'callers reject it', remedy: 'renew it' };
    return (
      expiryWarning(validity) ?? `${file} and its key match; it is valid until ${dateOf(opened.validUntil)}.`
    );
  },
};

interface Validity {
  readonly file: string;
  readonly until: Date;
  /** What happens with the expired certificate. */
  readonly consequence: string;
  readonly remedy: string;
}

/** Returns a warning if a certificate has expired or expires within 30 days. */
function expiryWarning({ file, until, consequence, remedy }: Validity): Warning | undefined {
  const days = Math.floor((until.getTime() - Date.now()) / dayMs);
  if (days < 0) return { warning: `${file} expired on ${dateOf(until)}, so ${consequence}; ${remedy}.` };
  return days < 30
    ? { warning: `${file} expires on ${dateOf(until)}, in ${days} days; ${remedy}.` }
    : undefined;
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

// Checks the certificates for signatures.

export const signingCertificates: ConfigCheck = {
  name: 'signing certificates',
  async run({ settings }) {
    const files = signingFiles(settings);
    if (files.size === 0) return undefined;
    const ends = await Promise.all(
      [...new Set(files.values())].map(async (path) => {
        const { leaf } = await readSigningCertificate(path, settings['signing-password']);
        return { file: path, until: new Date(leaf.validTo) };
      }),
    );
    const [first] = ends.toSorted((left, right) => left.until.getTime() - right.until.getTime());
    if (first === undefined) return undefined;
    return (
      expiryWarning({ ...first, consequence: 'nothing can be signed with it', remedy: 'replace it' }) ??
      `${files.size === 1 ? 'It is' : 'They are'} valid until at least ${dateOf(first.until)}.`
    );
  },
};

// Checks the keys of kept requests.

const keptRequests: ConfigCheck = {
  name: 'kept requests',
  async run({ settings }) {
    const accounts = settings['keep-inputs'] ?? [];
    if (accounts.length === 0) return undefined;
    await KeptInputs.open(settings);
    return `Requests of ${accounts.map(({ account }) => account).join(', ')} are kept, encrypted, for platen rehearse.`;
  },
};

// Checks whether this version of Platen can use the format of the data folder.

export const format: ConfigCheck = {
  name: 'format',
  run({ settings: { data } }) {
    refuseNewer(data);
    if (!isDataFolderUsed(data) || !needsUpgrade(data)) return undefined;
    return {
      warning: `${data} has an older format; the next start upgrades it and keeps a copy in its backups.`,
    };
  },
};

// Checks whether the service log can be written.

export const logFile: ConfigCheck = {
  name: 'log file',
  run({ settings }) {
    checkServiceLog(settings);
    const file = settings['log-file'];
    return file === undefined ? undefined : `${resolve(settings.data, file)} can be written.`;
  },
};

// Checks whether Electron and the libraries it needs are installed.

export const runtime: ConfigCheck = {
  name: 'runtime',
  async run() {
    const { electron } = locateRuntime();
    await access(electron, constants.X_OK).catch((cause: unknown) => {
      const { code = '' } = cause as NodeJS.ErrnoException;
      const message = `${electron} cannot be run by this user (${code}); give all users permission to read and run it.`;
      throw new Error(message, { cause });
    });
    const missing = await missingLibraries(electron);
    if (missing.length === 0) return `${electron} can be run.`;
    throw new Error(
      `${electron} needs libraries that are not installed: ${missing.join(', ')} (Debian: apt-get install libgtk-3-0 libnss3 libasound2 libgbm1).`,
    );
  },
};

/** Returns the names of missing libraries; none if ldd is missing. */
async function missingLibraries(electron: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const { out } = await runProgram(['ldd', electron]);
  return [...out.matchAll(/^[ \t]*(\S+) => not found$/gm)].map(([, name = '']) => name);
}

// Checks whether the current user can use or create the data folder.

const minFreeBytes = 100e6;

export const dataFolder: ConfigCheck = {
  name: 'data folder',
  async run({ settings: { data }, servicePid }) {
    if (!existsSync(data)) return await checkParentFolder(data);
    if (!statSync(data).isDirectory())
      throw new Error(`${data} is a file, not a folder; choose another with --data.`);
    await assertWritable(data);
    const { bavail, bsize } = statfsSync(data);
    const free = `${Math.round((bavail * bsize) / 1e6).toLocaleString('en')} MB is free`;
    if (bavail * bsize < minFreeBytes)
      throw new Error(`In ${data} only ${free}; free some space, or choose another folder with --data.`);
    const inUse = servicePid === undefined ? '' : `, is used by process ${servicePid}`;
    return `${data} can be written${inUse}; ${free}.`;
  },
};

async function assertWritable(data: string): Promise<void> {
  try {
    await assertAcceptsFiles(data);
  } catch (problem) {
    const message = `${data} cannot be written (${codeOf(problem)}); give it to the system user that runs the service, or choose another with --data.`;
    throw new Error(message, { cause: problem });
  }
}

async function checkParentFolder(data: string): Promise<string> {
  let parent = dirname(data);
  while (!existsSync(parent) && parent !== dirname(parent)) parent = dirname(parent);
  try {
    await access(parent, constants.W_OK | constants.X_OK);
    return `${data} does not exist yet; the first start creates it.`;
  } catch (problem) {
    const message = `${data} does not exist, and ${parent} cannot be written (${codeOf(problem)}); create it and give it to the system user that runs the service, or choose another with --data.`;
    throw new Error(message, { cause: problem });
  }
}

function codeOf(problem: unknown): string {
  return (problem as NodeJS.ErrnoException).code ?? String(problem);
}

// Checks whether there is a desktop, or Xvfb is installed.

export const display: ConfigCheck = {
  name: 'display',
  run() {
    if (process.platform !== 'linux') return undefined;
    if (hasDesktop()) return `Uses the desktop's display, ${process.env.DISPLAY ?? ''}.`;
    const folders = (process.env.PATH ?? '').split(delimiter);
    const xvfb = folders.map((folder) => join(folder, 'Xvfb')).find(isProgram);
    if (xvfb !== undefined) return `Uses ${xvfb}.`;
    throw new Error('There is no desktop, and Xvfb is not installed; install Xvfb: apt-get install xvfb.');
  },
};

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// Checks whether this version of Platen can use the accounts database.

export const database: ConfigCheck = {
  name: 'accounts',
  run({ settings }) {
    const { database: location, data } = settings;
    return location === undefined ? checkDatabase(databasePath(data)) : checkPostgres(location, settings);
  },
};

async function checkPostgres(
  location: PostgresLocation,
  settings: LoadedSettings,
): Promise<string | Warning> {
  const { inspectPostgres, postgresOptionsOf } =
    await import('../../accounts/store/postgres/postgres-database.ts');
  return await inspectPostgres(postgresOptionsOf(location, settings), (_database, version) =>
    stateOfSchema(shownLocation(location), version),
  );
}

function checkDatabase(path: string): string | Warning {
  const version = readDatabaseVersion(path);
  if (version === undefined) return `${path} does not exist yet; the first start creates it.`;
  const { unknown } = version;
  if (unknown.length > 0)
    throw new Error(
      `${path} was written by a newer Platen (${unknown.join(', ')}); run that version, or restore an older copy of the folder.`,
    );
  return stateOfSchema(path, version);
}

function stateOfSchema(name: string, { last, pending }: SchemaVersion): string | Warning {
  const next = pending.at(-1);
  if (next !== undefined) return { warning: `${name} is at ${last}; the next start migrates it to ${next}.` };
  return `${name} is at ${last}, the latest version.`;
}

function readDatabaseVersion(path: string) {
  try {
    return databaseVersion(path);
  } catch (cause) {
    const why = messageOf(cause);
    const message = `${path} cannot be read (${why}); make sure that it belongs to the system user that runs the service.`;
    throw new Error(message, { cause });
  }
}

// Checks whether fonts are installed, also for other writing systems.

/** Names of writing systems, with their fontconfig language codes. */
const writingSystems = [
  ['Chinese', 'zh-cn'],
  ['Japanese', 'ja'],
  ['Korean', 'ko'],
  ['Arabic', 'ar'],
  ['Hebrew', 'he'],
  ['emoji', 'und-zsye'],
] as const;

export const fonts: ConfigCheck = {
  name: 'fonts',
  async run({ settings: { data } }) {
    if (process.platform !== 'linux') return undefined;
    const environment = { ...process.env, ...existingFontEnvironment(fontFolders(data), process.env) };
    const { code, out } = await runProgram(['fc-list', ':', 'file'], { environment });
    if (code === undefined)
      return { warning: 'fc-list is missing, so fonts were not checked: apt-get install fontconfig.' };
    const count = countLines(out);
    if (count === 0)
      throw new Error(
        `No fonts are installed; install some: apt-get install fonts-liberation fonts-noto-core fonts-noto-color-emoji, or put font files into ${fontFolders(data).fonts}.`,
      );
    const uncovered = await writingSystemsWithoutFonts(environment);
    if (uncovered.length === 0) return `${count} fonts.`;
    return {
      warning: `${count} fonts, but none for ${uncovered.join(', ')}; if documents contain such text: apt-get install fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji.`,
    };
  },
};

async function writingSystemsWithoutFonts(environment: NodeJS.ProcessEnv): Promise<string[]> {
  const found = await Promise.all(
    writingSystems.map(async ([name, language]) => {
      const { out } = await runProgram(['fc-list', `:lang=${language}`, 'file'], { environment });
      return countLines(out) === 0 ? [name] : [];
    }),
  );
  return found.flat();
}

function countLines(text: string): number {
  return text.split('\n').filter((line) => line !== '').length;
}

// Checks whether user namespaces, which Chromium's sandbox needs, are available.

/** Kernel settings, each with the value that disables user namespaces for unprivileged users and the command that enables them. */
const blockingSettings = [
  ['kernel/unprivileged_userns_clone', '0', 'sysctl -w kernel.unprivileged_userns_clone=1'],
  ['user/max_user_namespaces', '0', 'sysctl -w user.max_user_namespaces=15000'],
] as const;

/** In Ubuntu 23.10 and later, only programs with an AppArmor profile may create user namespaces if this setting is 1. */
const apparmor = 'kernel/apparmor_restrict_unprivileged_userns';

export const sandbox: ConfigCheck = {
  name: 'sandbox',
  run() {
    if (process.platform !== 'linux') return undefined;
    if (process.getuid?.() === 0)
      return { warning: 'Chromium has no sandbox when run as root; run the service as a separate user.' };
    const blocking = blockingSettings.find(([name, value]) => kernelSetting(name) === value);
    if (blocking !== undefined)
      throw new Error(
        `The kernel does not allow user namespaces for unprivileged users, so Chromium's sandbox cannot start; allow them: ${blocking[2]} (to keep this after a reboot, also set it in /etc/sysctl.d).`,
      );
    if (kernelSetting(apparmor) !== '1') return 'User namespaces are available.';
    return {
      warning:
        'AppArmor allows user namespaces only to programs with a profile; without one for this runtime the service does not start (docs/service.md, "Ubuntu").',
    };
  },
};

function kernelSetting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

// Checks whether the upstream proxy can be reached.

const connectTimeoutMs = 5000;

export const upstreamProxy: ConfigCheck = {
  name: 'upstream proxy',
  async run({ settings }) {
    const proxy = settings['upstream-proxy'];
    if (proxy === undefined) return undefined;
    const { hostname, port } = new URL(proxy);
    const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
    const problem = await connectError(address);
    const proxyName = `${hostname}:${address.port}`;
    if (problem === undefined) return `${proxyName} accepts connections.`;
    // This is only a warning: the service would start, and could convert documents without remote resources.
    return {
      warning: `${proxyName} cannot be reached now (${problem}), so nothing can be loaded from the network; see upstream-proxy.`,
    };
  },
};

function connectError(address: {
  readonly host: string;
  readonly port: number;
}): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: connectTimeoutMs });
    const finish = (problem?: string) => {
      socket.destroy();
      resolve(problem);
    };
    socket.once('connect', () => {
      finish();
    });
    socket.once('timeout', () => {
      finish('no response');
    });
    socket.once('error', (problem: NodeJS.ErrnoException) => {
      finish(problem.code ?? problem.message);
    });
  });
}

interface ConfigCheckContext {
  readonly settings: LoadedSettings;
  /** Id of the process that uses the data folder; undefined if there is none. */
  readonly servicePid: number | undefined;
}

export interface Warning {
  readonly warning: string;
}

type CheckOutcome = string | Warning | undefined;

interface ConfigCheck {
  readonly name: string;
  /**
   * Returns the result as a sentence, or undefined if there is nothing to check.
   * @throws Error whose message names the problem and what to change
   */
  readonly run: (context: ConfigCheckContext) => CheckOutcome | Promise<CheckOutcome>;
}

export interface CheckResult {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly message: string;
}

/** Runs a check. Resolves with undefined if there is nothing to check. Never rejects. */
export async function runCheck(
  { name, run }: ConfigCheck,
  context: ConfigCheckContext,
): Promise<CheckResult | undefined> {
  try {
    const outcome = await run(context);
    if (outcome === undefined) return undefined;
    if (typeof outcome === 'string') return { name, state: 'ok', message: outcome };
    return { name, state: 'warning', message: outcome.warning };
  } catch (problem) {
    return { name, state: 'failed', message: messageOf(problem) };
  }
}

export const configChecks: readonly ConfigCheck[] = [
  dataFolder,
  format,
  database,
  logFile,
  certificate,
  signingCertificates,
  keptRequests,
  address,
  upstreamProxy,
  runtime,
  display,
  sandbox,
  fonts,
];
