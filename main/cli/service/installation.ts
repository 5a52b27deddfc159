/** The service that is meant, as it is installed or is to be. */
import { ownProgram } from '../../launch/own-command.ts';
import { locateRuntime } from '../../launch/runtime.ts';
import { loadSettings, type LoadedSettings } from '../../settings/load.ts';
import { hostOf } from './hosts.ts';
import { planIn } from './plan-note.ts';
import type { KeptPlan, ServicePlan, Which } from './plan.ts';
import { needsRoot, type ServiceHost } from './service-host.ts';

export interface Installed {
  readonly host: ServiceHost;
  readonly plan: KeptPlan;
}

/** @throws Error with one sentence when there is none */
export async function installedService(which: Which): Promise<Installed> {
  const host = hostOf(process.platform);
  const plan = await keptPlan(host, which);
  if (plan !== undefined) return { host, plan };
  throw new Error(
    `no service ${which.name} is installed${which.scope === 'user' ? ' for you alone' : ''}; install it: ${serviceCommand('install', which)}`,
  );
}

/** One that somebody else has written counts as one with the usual plan. */
export async function keptPlan(host: ServiceHost, which: Which): Promise<KeptPlan | undefined> {
  const definition = await host.installed(which);
  if (definition === undefined) return undefined;
  return { ...(planIn(definition) ?? { ...host.usual(which), writable: [] }), ...which };
}

/** @throws Error with one sentence when there is no runtime */
export function withProgram(plan: KeptPlan, port: number): ServicePlan {
  const [program, { electron, application }] = [ownProgram(), locateRuntime()];
  return { ...plan, program, reads: [...program, electron, application], lowPort: isLow(port) };
}

export function isLow(port: number): boolean {
  return port > 0 && port < 1024;
}

/** As the service itself reads them: nothing of this shell's environment. Wrong ones count as missing. */
export function settingsOf({ data }: Pick<KeptPlan, 'data'>): LoadedSettings {
  return loadSettings({ flags: ['--data', data], environment: {}, complain() {} });
}

/** What to type for another command of ours. */
export function commandWith(...words: readonly string[]): string {
  return [...ownProgram(), ...words].map(quoted).join(' ');
}

/** What to type for another command about this service. */
export function serviceCommand(action: string, { name, scope }: Which): string {
  const flags = [...(name === 'platen' ? [] : ['--name', name]), ...(scope === 'user' ? ['--user'] : [])];
  return commandWith('service', action, ...flags);
}

function quoted(word: string): string {
  return /^[\w./:=@%+,\\-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** @throws Error with one sentence that says what to type instead */
export async function refuseWithoutRights(host: ServiceHost, which: Which): Promise<void> {
  const obstacle = await host.obstacle(which);
  if (obstacle === undefined) return;
  if (obstacle !== needsRoot) throw new Error(obstacle);
  const again = commandWith(...process.argv.slice(2));
  throw new Error(`${obstacle}: sudo ${again} (for a service of you alone add --user instead).`);
}
