/** Starts the service of an installation with an empty data folder, converts requests with it, and ends it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { messageOf } from '../../failure/failure.ts';
import { requestStop } from '../../launch/request-file.ts';
import { fontFolders } from '../../settings/data-folder.ts';
import { environmentName, type SettingName } from '../../settings/table.ts';
import { openTemporaryFolder } from '../temporary-folder.ts';
import { formBodyOf, type FormPart } from './form-body.ts';
import { configPath } from '../../settings/raw-settings.ts';

export interface TemporaryService extends AsyncDisposable {
  /** Sends a conversion. Rejects when the signal aborts or when the service ends. */
  readonly url: string;
  /** The credentials of an account as `user:key`. */
  readonly account: string;
  readonly convert: (form: readonly FormPart[], signal: AbortSignal) => Promise<Response>;
}

export interface TemporaryServiceOptions {
  /** The command line of the installation, without parameters. */
  readonly program: readonly string[];
  /** Settings that replace those of the environment. */
  readonly settings?: Readonly<Partial<Record<SettingName, string>>>;
  /** The content of config.json. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** A folder with fonts for pages. */
  readonly fonts?: string;
  readonly signal: AbortSignal;
}

/** Settings of a service that must not apply to a temporary one: its address, its users, and the folders that it works on. */
export const ownSettings: readonly SettingName[] = [
  'host',
  'port',
  'data',
  'accounts',
  'demo',
  'database',
  'tls-cert',
  'tls-key',
  'tls-passphrase',
  'base-url',
  'cors-origins',
  'signing-certificate',
  'signing-password',
  'keep-inputs',
  'hot-folders',
  'log-file',
  'log-format',
  'tray',
];

const account = 'rehearsal';

/** The longest start of a service that still counts as one. */
const startTimeoutMs = 120_000;

/** @throws Error with a one-sentence message if the service does not start; the signal's reason */
export async function startTemporaryService(options: TemporaryServiceOptions): Promise<TemporaryService> {
  const folder = await openTemporaryFolder('service');
  const data = folder.path;
  const key = randomBytes(16).toString('hex');
  try {
    await writeFile(configPath(data), JSON.stringify(options.config ?? {}), { mode: 0o600 });
    if (options.fonts !== undefined) await cp(options.fonts, fontFolders(data).fonts, { recursive: true });
    const child = startChild(options, { data, key });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const end = async () => {
      stop(child, data);
      await ended;
      await folder[Symbol.asyncDispose]();
    };
    const url = await listeningUrlOf(child, options).catch(async (problem: unknown) => {
      await end();
      throw problem;
    });
    const authorization = `Basic ${Buffer.from(`${account}:${key}`).toString('base64')}`;
    return {
      url,
      account: `${account}:${key}`,
      convert(form, signal) {
        const { contentType, bytes: body } = formBodyOf(form);
        const headers = { authorization, 'content-type': contentType };
        return fetch(`${url}/convert/24.04/`, { method: 'POST', headers, body, signal, redirect: 'error' });
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (problem) {
    await folder[Symbol.asyncDispose]();
    throw problem;
  }
}

function startChild(
  { program, settings }: TemporaryServiceOptions,
  { data, key }: { readonly data: string; readonly key: string },
): ChildProcess {
  const [file = '', ...words] = program;
  // Programs that set the variable themselves set it again.
  const omitted = new Set([...ownSettings.map(environmentName), 'ELECTRON_RUN_AS_NODE']);
  const inherited = Object.entries(process.env).filter(([name]) => !omitted.has(name));
  const replaced = Object.entries(settings ?? {}).map(([name, value]) => [
    environmentName(name as SettingName),
    value,
  ]);
  const environment: NodeJS.ProcessEnv = {
    ...(Object.fromEntries([...inherited, ...replaced]) as NodeJS.ProcessEnv),
    PLATEN_TRAY: 'off',
    PLATEN_DEMO: 'off',
    // In the environment, because other users can read the command line.
    PLATEN_ACCOUNTS: `${account}:${key}`,
  };
  return spawn(file, [...words, 'serve', '--port', '0', '--host', '127.0.0.1', '--data', data], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

function stop(child: ChildProcess, data: string): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  if (process.platform === 'win32') requestStop(data);
  else child.kill('SIGTERM');
}

/** Resolves with the URL that the service prints. @throws Error if the service does not start; the signal's reason */
async function listeningUrlOf(
  child: ChildProcess,
  { program, signal }: TemporaryServiceOptions,
): Promise<string> {
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = `${errors}${text}`.slice(-2000)));
  const listening = new Promise<string>((resolve) => {
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /listening on (https?:\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const timeout = AbortSignal.timeout(startTimeoutMs);
  const failed = once(child, 'exit', { signal: AbortSignal.any([signal, timeout]) })
    .then(
      () => reasonIn(errors),
      (problem: unknown) =>
        timeout.aborted ? `it took longer than ${startTimeoutMs / 1000} s.` : `${messageOf(problem)}.`,
    )
    .then((reason) => {
      signal.throwIfAborted();
      throw new Error(`the service of ${program.join(' ')} did not start: ${reason}`);
    });
  return await Promise.race([listening, failed]);
}

/** Returns the line with the error, such as that of an uncaught exception, or else the last lines. */
function reasonIn(errors: string): string {
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  const error = lines.find((line) => /^(platen:|\w*Error\b)/.test(line));
  return error ?? (lines.slice(-3).join(' ') || 'it ended.');
}
