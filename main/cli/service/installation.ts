/** Finds the installed service and completes the plan for its definition. */
import {
  isTranslocated,
  launcherProgram,
  quoteForWindows,
  shellProgram,
} from '../../launch/launcher-command.ts';
import { locateRuntime } from '../../launch/runtime.ts';
import { loadSettings, type LoadedSettings } from '../../settings/load.ts';
import { serviceHostFor } from './hosts.ts';
import { planInNote, type StoredPlan, type ServicePlan, type ServiceId } from './plan.ts';
import { needsRoot, type ServiceHost } from './service-host.ts';

export interface InstalledService {
  readonly host: ServiceHost;
  readonly plan: StoredPlan;
}

/** Returns the installed service. @throws Error with a one-sentence message if it is not installed */
export async function installedService(
  id: ServiceId,
  host = serviceHostFor(process.platform),
): Promise<InstalledService> {
  const plan = await readStoredPlan(host, id);
  if (plan !== undefined) return { host, plan };
  throw new Error(
    `no service ${id.name} is installed${id.scope === 'user' ? ' for your user' : ''}; install it: ${serviceCommand('install', id)}`,
  );
}

/**
 * Returns the installed service, to change it. Checks the permission first, because on Windows a user may be unable to see what only
 * administrators may change. @throws Error with a one-sentence message if this user may not change it, or if it is not installed
 */
export async function changeableService(
  id: ServiceId,
  host = serviceHostFor(process.platform),
): Promise<InstalledService> {
  await assertPermitted(host, id);
  return await installedService(id, host);
}

/**
 * Returns the plan of the installed service; undefined if it is not installed. A definition without a stored plan (plan.ts) gets
 * the default plan.
 */
export async function readStoredPlan(host: ServiceHost, id: ServiceId): Promise<StoredPlan | undefined> {
  const definition = await host.readInstalled(id);
  if (definition === undefined) return undefined;
  return { ...(planInNote(definition) ?? { ...host.defaults(id), writable: [] }), ...id };
}

/**
 * Completes a plan with the program to run.
 * @throws Error with a one-sentence message if the runtime is missing, or the path of the program is temporary
 */
export function withProgram(plan: StoredPlan, port: number): ServicePlan {
  // shellProgram() is a batch file on Windows. It runs the launcher without a second Chromium, but opens a console window in a
  // user's session.
  const program = plan.scope === 'system' ? shellProgram() : launcherProgram();
  assertPermanent(program);
  const { electron, application } = locateRuntime();
  return {
    ...plan,
    program,
    readPaths: [...program, electron, application],
    hasPrivilegedPort: isPrivilegedPort(port),
  };
}

/** @throws Error with a one-sentence message if the path of the program is valid only until the program ends */
export function assertPermanent([path = '']: readonly string[]): void {
  if (isTranslocated(path))
    throw new Error(
      `macOS runs this download from a temporary path (${path}), so a service could not start it again; move Platen.app to /Applications with the Finder, open it once, then run the command from there.`,
    );
}

export function isPrivilegedPort(port: number): boolean {
  return port > 0 && port < 1024;
}

/** Reads the settings as the service does, without the environment of this shell. Invalid settings get their defaults. */
export function settingsOf({ data }: Pick<StoredPlan, 'data'>): LoadedSettings {
  return loadSettings({ flags: ['--data', data], environment: {}, onProblem() {} });
}

/** Returns a shell command that runs `platen` with these arguments. */
export function commandWith(...args: readonly string[]): string {
  return [...shellProgram(), ...args].map((word) => shellQuote(word, process.platform)).join(' ');
}

/** Returns a shell command that runs `platen service <action>` for this service. */
export function serviceCommand(action: string, { name, scope }: ServiceId): string {
  const flags = [...(name === 'platen' ? [] : ['--name', name]), ...(scope === 'user' ? ['--user'] : [])];
  return commandWith('service', action, ...flags);
}

/** Quotes a word for a POSIX shell or, on Windows, for cmd.exe. */
export function shellQuote(word: string, platform: NodeJS.Platform): string {
  if (/^[\w./:=@%+,\\-]+$/.test(word)) return word;
  return platform === 'win32' ? quoteForWindows(word) : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Checks that the current user may change services.
 * @throws Error with a one-sentence message that names the command to run instead
 */
export async function assertPermitted(host: ServiceHost, id: ServiceId): Promise<void> {
  const obstacle = await host.findObstacle(id);
  if (obstacle === undefined) return;
  if (obstacle !== needsRoot) throw new Error(obstacle);
  const command = commandWith(...process.argv.slice(2));
  throw new Error(`${obstacle}: sudo ${command} (or add --user for a service of your user only).`);
}
