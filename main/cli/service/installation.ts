/** Finds the installed service and builds the plan for its definition. */
import { launcherProgram } from '../../launch/own-command.ts';
import { locateRuntime } from '../../launch/runtime.ts';
import { loadSettings, type LoadedSettings } from '../../settings/load.ts';
import { hostOf } from './hosts.ts';
import { readNote, type StoredPlan, type ServicePlan, type ServiceId } from './plan.ts';
import { needsRoot, type ServiceHost } from './service-host.ts';

export interface Installed {
  readonly host: ServiceHost;
  readonly plan: StoredPlan;
}

/** @throws Error with one sentence if the service is not installed */
export async function installedService(which: ServiceId): Promise<Installed> {
  const host = hostOf(process.platform);
  const plan = await readStoredPlan(host, which);
  if (plan !== undefined) return { host, plan };
  throw new Error(
    `no service ${which.name} is installed${which.scope === 'user' ? ' for your user' : ''}; install it: ${serviceCommand('install', which)}`,
  );
}

/** Returns the plan of the installed service. A definition without our note gets the default plan. */
export async function readStoredPlan(host: ServiceHost, which: ServiceId): Promise<StoredPlan | undefined> {
  const definition = await host.installed(which);
  if (definition === undefined) return undefined;
  return { ...(readNote(definition) ?? { ...host.defaults(which), writable: [] }), ...which };
}

/** @throws Error with one sentence if the runtime is missing */
export function withProgram(plan: StoredPlan, port: number): ServicePlan {
  const program = launcherProgram();
  const { electron, application } = locateRuntime();
  return { ...plan, program, reads: [...program, electron, application], lowPort: isPrivilegedPort(port) };
}

export function isPrivilegedPort(port: number): boolean {
  return port > 0 && port < 1024;
}

/** As the service itself reads them: nothing of this shell's environment. Wrong ones count as missing. */
export function settingsOf({ data }: Pick<StoredPlan, 'data'>): LoadedSettings {
  return loadSettings({ flags: ['--data', data], environment: {}, onProblem() {} });
}

/** Returns a shell command that runs our command line with these arguments. */
export function commandWith(...words: readonly string[]): string {
  return [...launcherProgram(), ...words].map(shellQuote).join(' ');
}

/** Returns a shell command for this service. */
export function serviceCommand(action: string, { name, scope }: ServiceId): string {
  const flags = [...(name === 'platen' ? [] : ['--name', name]), ...(scope === 'user' ? ['--user'] : [])];
  return commandWith('service', action, ...flags);
}

function shellQuote(word: string): string {
  return /^[\w./:=@%+,\\-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** @throws Error with one sentence that says which command to run instead */
export async function assertPermitted(host: ServiceHost, which: ServiceId): Promise<void> {
  const obstacle = await host.obstacle(which);
  if (obstacle === undefined) return;
  if (obstacle !== needsRoot) throw new Error(obstacle);
  const again = commandWith(...process.argv.slice(2));
  throw new Error(`${obstacle}: sudo ${again} (or add --user for a service of your user only).`);
}
