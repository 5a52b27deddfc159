/** Services of systemd, by systemctl. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { defaultDataFolder } from '../../settings/data-folder.ts';
import { mayRun, mustRun } from './command.ts';
import { readDefinition, writeDefinition } from './definition-file.ts';
import type { Scope, Which } from './plan.ts';
import { needsRoot, type ServiceHost, type ServiceState } from './service-host.ts';
import { ensureLinuxUser } from './service-user.ts';
import { cacheFolder, systemdUnit } from './systemd-unit.ts';

export const systemd: ServiceHost = {
  usual: ({ name, scope }) =>
    scope === 'system'
      ? { as: 'platen', data: join('/var/lib', name) }
      : { as: userInfo().username, data: defaultDataFolder() },
  define: systemdUnit,
  installed: async (which) =>
    (await readDefinition(unitPath(which))) ?? (await readDefinition(packagedUnitPath(which))),
  obstacle: ({ scope }) => Promise.resolve(obstacle(scope)),
  ensureUser: ({ scope, as }) => (scope === 'system' ? ensureLinuxUser(as) : Promise.resolve(undefined)),
  async install(plan) {
    await writeDefinition(unitPath(plan), systemdUnit(plan));
    await mustRun(systemctl(plan, 'daemon-reload'));
    await mustRun(systemctl(plan, 'enable', unitOf(plan)));
    // Too many failures in a row are forgotten, now that something has changed.
    await mayRun(systemctl(plan, 'reset-failed', unitOf(plan)));
  },
  async remove(plan) {
    await mayRun(systemctl(plan, 'disable', '--now', unitOf(plan)));
    await rm(unitPath(plan), { force: true });
    await mustRun(systemctl(plan, 'daemon-reload'));
    await mayRun(systemctl(plan, 'reset-failed', unitOf(plan)));
    if (plan.scope === 'system') await rm(cacheFolder(plan), { recursive: true, force: true });
  },
  async start(plan) {
    await mustRun(systemctl(plan, 'start', unitOf(plan)));
  },
  async stop(plan) {
    await mustRun(systemctl(plan, 'stop', unitOf(plan)));
  },
  state,
  logCommand: ({ name, scope }) => `journalctl ${scope === 'user' ? '--user ' : ''}-u ${name} -n 50`,
  settings: {},
  async afterwards({ scope, as }) {
    if (scope === 'system') return undefined;
    if ((await mayRun(['loginctl', 'enable-linger', as])) !== undefined) return undefined;
    return `It ends when ${as} logs out, until somebody with the right types: sudo loginctl enable-linger ${as}`;
  },
};

function unitPath(which: Which): string {
  const folder = which.scope === 'system' ? '/etc/systemd/system' : join(userConfig(), 'systemd', 'user');
  return join(folder, unitOf(which));
}

/** That of a Debian package, which ours in /etc would beat. */
function packagedUnitPath(which: Which): string {
  return join('/usr/lib/systemd', which.scope, unitOf(which));
}

function unitOf({ name }: Which): string {
  return `${name}.service`;
}

function userConfig(): string {
  const set = process.env.XDG_CONFIG_HOME ?? '';
  return isAbsolute(set) ? set : join(homedir(), '.config');
}

function systemctl({ scope }: Pick<Which, 'scope'>, ...words: readonly string[]): string[] {
  return ['systemctl', ...(scope === 'user' ? ['--user'] : []), '--quiet', ...words];
}

function obstacle(scope: Scope): string | undefined {
  // sd_booted(3)
  if (!existsSync('/run/systemd/system'))
    return "this machine was not started by systemd; --print shows the unit, and 'platen serve' runs in the foreground under any other service manager.";
  return scope === 'user' || process.getuid?.() === 0 ? undefined : needsRoot;
}

async function state(which: Which): Promise<ServiceState> {
  const properties = '--property=ActiveState,MainPID,ActiveEnterTimestamp,UnitFileState,Result';
  const out = (await mayRun(systemctl(which, 'show', unitOf(which), properties))) ?? '';
  const found = new Map([...out.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]));
  const active = found.get('ActiveState') ?? 'not known to systemd';
  const manual = found.get('UnitFileState') === 'enabled' ? '' : ', not started with the machine';
  if (active === 'active') {
    const since = found.get('ActiveEnterTimestamp') ?? '?';
    return {
      running: true,
      says: `running, process ${found.get('MainPID') ?? '?'}, since ${since}${manual}`,
    };
  }
  const result = found.get('Result') ?? 'success';
  return { running: false, says: `${active}${result === 'success' ? '' : ` (${result})`}${manual}` };
}
