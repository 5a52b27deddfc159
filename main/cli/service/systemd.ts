/** Manages services with systemd, through systemctl. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { defaultDataFolder } from '../../settings/data-folder.ts';
import { tryRun, runOrThrow } from './command.ts';
import {
  readDefinition,
  writeDefinition,
  needsRoot,
  type FoundService,
  type ServiceHost,
  type InstalledServiceState,
} from './service-host.ts';
import { listProcesses } from './installer/running-copies.ts';
import { planInNote, planNote, type ServiceScope, type ServiceId, type ServicePlan } from './plan.ts';
import { ensureLinuxUser } from './service-user.ts';

export const systemd: ServiceHost = {
  defaults: ({ name, scope }) =>
    scope === 'system'
      ? { as: 'platen', data: join('/var/lib', name) }
      : { as: userInfo().username, data: defaultDataFolder() },
  definition: systemdUnit,
  readInstalled: async (id) =>
    (await readDefinition(unitPath(id))) ?? (await readDefinition(packagedUnitPath(id))),
  findObstacle: ({ scope }) => Promise.resolve(obstacle(scope)),
  ensureUser: ({ scope, as }) => (scope === 'system' ? ensureLinuxUser(as) : Promise.resolve(undefined)),
  async install(plan) {
    await writeDefinition(unitPath(plan), systemdUnit(plan));
    await runOrThrow(systemctl(plan, 'daemon-reload'));
    await runOrThrow(systemctl(plan, 'enable', unitName(plan)));
    // Resets the count of failed starts, because the definition has changed.
    await tryRun(systemctl(plan, 'reset-failed', unitName(plan)));
  },
  async uninstall(plan) {
    await tryRun(systemctl(plan, 'disable', '--now', unitName(plan)));
    await rm(unitPath(plan), { force: true });
    await runOrThrow(systemctl(plan, 'daemon-reload'));
    await tryRun(systemctl(plan, 'reset-failed', unitName(plan)));
    if (plan.scope === 'system') await rm(cacheFolder(plan), { recursive: true, force: true });
  },
  async start(plan) {
    await runOrThrow(systemctl(plan, 'start', unitName(plan)));
  },
  async stop(plan) {
    await runOrThrow(systemctl(plan, 'stop', unitName(plan)));
  },
  state,
  findServices,
  logCommand: ({ name, scope }) => `journalctl ${scope === 'user' ? '--user ' : ''}-u ${name} -n 50`,
  settings: {},
  async finishInstall({ scope, as }) {
    if (scope === 'system') return undefined;
    if ((await tryRun(['loginctl', 'enable-linger', as])) !== undefined) return undefined;
    return `The service ends when ${as} logs out; to keep it running: sudo loginctl enable-linger ${as}`;
  },
};

function unitPath(id: ServiceId): string {
  const folder = id.scope === 'system' ? '/etc/systemd/system' : join(userConfig(), 'systemd', 'user');
  return join(folder, unitName(id));
}

/** Returns the path of the unit in a Debian package. A unit of the same name in /etc overrides it. */
function packagedUnitPath(id: ServiceId): string {
  return join('/usr/lib/systemd', id.scope, unitName(id));
}

function unitName({ name }: ServiceId): string {
  return `${name}.service`;
}

function userConfig(): string {
  const configHome = process.env.XDG_CONFIG_HOME ?? '';
  return isAbsolute(configHome) ? configHome : join(homedir(), '.config');
}

function systemctl({ scope }: Pick<ServiceId, 'scope'>, ...words: readonly string[]): string[] {
  return ['systemctl', ...(scope === 'user' ? ['--user'] : []), '--quiet', ...words];
}

/** sd_booted(3) */
function isSystemdRunning(): boolean {
  return existsSync('/run/systemd/system');
}

function obstacle(scope: ServiceScope): string | undefined {
  if (!isSystemdRunning())
    return "systemd is not running on this machine; --print shows the unit, and 'platen serve' runs in the foreground under any other service manager.";
  return scope === 'user' || process.getuid?.() === 0 ? undefined : needsRoot;
}

async function state(id: ServiceId): Promise<InstalledServiceState> {
  const propertyFlag = '--property=ActiveState,MainPID,ActiveEnterTimestamp,UnitFileState,Result';
  const out = (await tryRun(systemctl(id, 'show', unitName(id), propertyFlag))) ?? '';
  const properties = new Map(
    [...out.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]),
  );
  const active = properties.get('ActiveState') ?? 'not known to systemd';
  const manual = properties.get('UnitFileState') === 'enabled' ? '' : ', not started at boot';
  if (active === 'active') {
    const since = properties.get('ActiveEnterTimestamp') ?? '?';
    return {
      running: true,
      description: `running, process ${properties.get('MainPID') ?? '?'}, since ${since}${manual}`,
    };
  }
  const result = properties.get('Result') ?? 'success';
  return { running: false, description: `${active}${result === 'success' ? '' : ` (${result})`}${manual}` };
}

/**
 * Finds the units of the system and of this user that run a program of the installation. Root also finds the units of other users
 * that run now, or that `labels` name.
 */
async function findServices(installation: string, labels: readonly string[]): Promise<FoundService[]> {
  if (!isSystemdRunning()) return [];
  const isRoot = process.getuid?.() === 0;
  const scopes: readonly ServiceScope[] = isRoot ? ['system'] : ['system', 'user'];
  const names = scopes.flatMap((scope) => unitNames(scope).map((name) => ({ name, scope })));
  const found: FoundService[] = [];
  for (const id of names) {
    const definition = (await systemd.readInstalled(id)) ?? '';
    const plan = planInNote(definition);
    if (plan === undefined || !programOf(definition).includes(`${installation}/`)) continue;
    const stored = { ...plan, ...id };
    found.push({
      label: id.scope === 'system' ? id.name : `${id.name} of ${plan.as}`,
      plan: stored,
      isStarted: /^(active|activating|reloading)$/.test(await activeState(id)),
      stop: () => systemd.stop(stored),
      start: () => systemd.start(stored),
      uninstall: () => systemd.uninstall(stored),
    });
  }
  if (!isRoot) return found;
  const controlGroups = (await listProcesses(installation)).map(({ pid }) => controlGroupOf(pid));
  return [...found, ...userUnits(controlGroups, labels)];
}

/** Returns the names of the units with a plan in the folders of the scope. */
function unitNames(scope: ServiceScope): string[] {
  const folders = [unitPath, packagedUnitPath].map((path) => dirname(path({ name: '', scope })));
  const files = folders.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []));
  const units = files.filter((file) => /^[a-z][a-z0-9_-]*\.service$/.test(file));
  return [...new Set(units)].map((file) => file.slice(0, -'.service'.length));
}

/** Returns the command line of a unit, without the escapes of `quoteForUnit`. */
function programOf(definition: string): string {
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(definition) ?? [];
  return command.replaceAll('%%', '%').replace(/\\(["\\])/g, '$1');
}

async function activeState(id: ServiceId): Promise<string> {
  return (
    (await tryRun(systemctl(id, 'show', '--property=ActiveState', '--value', unitName(id)))) ?? ''
  ).trim();
}

function controlGroupOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, 'utf8').trim();
  } catch {
    // The process has ended.
    return '';
  }
}

/**
 * Returns the units of other users. The control group of their processes ends with `user@UID.service/app.slice/NAME.service`.
 * `labels` names units that need not run.
 */
export function userUnits(
  controlGroups: readonly string[],
  labels: readonly string[],
  run = runOrThrow,
): FoundService[] {
  const running = controlGroups.flatMap((group) => {
    // eslint-disable-next-line platen/linear-pattern -- The kernel writes the path of the control group.
    const [, uid, name] = /\/user@(\d+)\.service\/(?:.*\/)?([a-z][\w-]*)\.service$/m.exec(group) ?? [];
    return name === undefined ? [] : [`${name} of user ${uid ?? ''}`];
  });
  return [...new Set([...running, ...labels])].flatMap((label) => {
    const [, name, uid] = /^([a-z][\w-]*) of user (\d+)$/.exec(label) ?? [];
    if (name === undefined || uid === undefined) return [];
    const control = async (...words: readonly string[]) => {
      // The user's systemd accepts only processes of that user.
      const asUser = ['/usr/bin/setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--'];
      const environment = { PATH: process.env.PATH, XDG_RUNTIME_DIR: `/run/user/${uid}` };
      await run([...asUser, ...systemctl({ scope: 'user' }, ...words, `${name}.service`)], { environment });
    };
    return {
      label,
      plan: { name, scope: 'user' as const, as: uid, data: '', writable: [] },
      isStarted: running.includes(label),
      stop: () => control('stop'),
      start: () => control('start'),
      // The unit itself is a file of the user.
      uninstall: () => control('disable', '--now'),
    };
  });
}

// The systemd unit: systemd.service(5), systemd.exec(5). The functions have no side effects.

/** Returns the unit. `header` is its first comment, one line that names the program that wrote it. */
export function systemdUnit(plan: ServicePlan, header = defaultHeader(plan)): string {
  const isSystem = plan.scope === 'system';
  const sections = [
    ['[Unit]', ...unitDirectives(isSystem)],
    ['[Service]', ...serviceDirectives(plan), ...(isSystem ? systemHardening(plan) : userHardening)],
    ['[Install]', `WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}`],
  ];
  return `# ${header}\n# ${planNote(plan)}\n\n${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function defaultHeader({ name }: ServiceId): string {
  return `Written by 'platen service install', which overwrites changes; use a drop-in instead: systemctl edit ${name}`;
}

/** Returns the folder for files that may be deleted at any time. */
export function cacheFolder({ name }: Pick<ServiceId, 'name'>): string {
  return join('/var/cache', name);
}

function unitDirectives(isSystem: boolean): string[] {
  const network = ['Wants=network-online.target', 'After=network-online.target'];
  return ['Description=Platen, web pages into PDF documents and images', ...(isSystem ? network : [])];
}

function serviceDirectives({ program, data }: ServicePlan): string[] {
  return [
    'Type=exec',
    `ExecStart=${commandLine([...program, 'serve', '--data', data])}`,
    // Only the launcher gets SIGTERM; it waits 30 s for running jobs, then 2 s for the display to end.
    'KillMode=mixed',
    'TimeoutStopSec=45',
    // The launcher handles crashes and gives up after ten failed starts in a row. A restart does not fix a wrong
    // setting (2) or a data folder of a newer version (3).
    'Restart=on-failure',
    'RestartSec=15',
    'RestartPreventExitStatus=2 3',
    // A renderer that runs out of memory is replaced. By default, systemd would stop the whole service.
    'OOMPolicy=continue',
    'LimitNOFILE=16384',
    'UMask=0077',
    'UnsetEnvironment=DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS',
  ];
}

/** Restrictions that a user's systemd instance can apply without privileges. */
const userHardening = ['NoNewPrivileges=yes', 'LockPersonality=yes', 'SystemCallArchitectures=native'];

function systemHardening(plan: ServicePlan): string[] {
  return [
    `User=${plan.as}`,
    ...folderDirectives(plan),
    ...hiddenFolderDirectives(plan),
    ...portDirectives(plan),
    ...restrictions,
    // Chromium's sandbox needs these three namespaces.
    'RestrictNamespaces=user pid net',
    // The sandbox needs chroot and seccomp. V8 generates code at run time, so MemoryDenyWriteExecute cannot be
    // used.
    'SystemCallFilter=@system-service chroot seccomp pkey_alloc pkey_free pkey_mprotect',
    'SystemCallErrorNumber=EPERM',
    'SystemCallArchitectures=native',
  ];
}

/**
 * Returns the writable folders; all others are read-only. systemd creates the folders named after the service and makes the
 * service's user their owner.
 */
function folderDirectives({ name, data, writable }: ServicePlan): string[] {
  const isOwn = data === join('/var/lib', name);
  // The prefix - lets the service start while the folder's drive is missing.
  const others = [...(isOwn ? [] : [data]), ...writable.map((folder) => `-${folder}`)];
  return [
    ...(isOwn ? [`StateDirectory=${name}`, 'StateDirectoryMode=0700'] : []),
    `CacheDirectory=${name}`,
    'CacheDirectoryMode=0700',
    `LogsDirectory=${name}`,
    'LogsDirectoryMode=0700',
    `Environment=HOME=${cacheFolder({ name })}`,
    'ProtectSystem=strict',
    ...(others.length === 0 ? [] : [`ReadWritePaths=${others.map(quoteForUnit).join(' ')}`]),
  ];
}

/** Hides home folders and temporary files, unless the program, its data or a writable folder is among them. */
function hiddenFolderDirectives({ data, writable, readPaths }: ServicePlan): string[] {
  const needed = [data, ...writable, ...readPaths];
  const isNeededBelow = (...above: string[]) =>
    needed.some((path) => above.some((folder) => path === folder || path.startsWith(`${folder}/`)));
  return [
    `ProtectHome=${isNeededBelow('/home', '/root', '/run/user') ? 'read-only' : 'yes'}`,
    ...(isNeededBelow('/tmp', '/var/tmp') ? [] : ['PrivateTmp=yes']),
    'PrivateDevices=yes',
  ];
}

function portDirectives({ hasPrivilegedPort }: ServicePlan): string[] {
  if (!hasPrivilegedPort) return ['CapabilityBoundingSet='];
  return ['CapabilityBoundingSet=CAP_NET_BIND_SERVICE', 'AmbientCapabilities=CAP_NET_BIND_SERVICE'];
}

const restrictions = [
  'NoNewPrivileges=yes',
  'ProtectKernelTunables=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelLogs=yes',
  'ProtectControlGroups=yes',
  'ProtectClock=yes',
  'ProtectHostname=yes',
  'LockPersonality=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RemoveIPC=yes',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
];

/** Returns a command line. systemd expands variables in arguments, but not in the program's path, which must not contain quotes. */
function commandLine(words: readonly string[]): string {
  const [program = '', ...parameters] = /["'\\]/.test(words[0] ?? '') ? ['/usr/bin/env', ...words] : words;
  return [program, ...parameters.map((word) => word.replaceAll('$', '$$$$'))].map(quoteForUnit).join(' ');
}

/** Quotes a word. systemd expands specifiers (%) everywhere. */
function quoteForUnit(word: string): string {
  const plain = word.replaceAll('%', '%%');
  return /^[\w./%$:@+,=-]+$/.test(plain) ? plain : `"${plain.replace(/["\\]/g, '\\$&')}"`;
}
