/** The unit of a service for systemd: systemd.service(5), systemd.exec(5). Pure. */
import { join } from 'node:path';
import { noteOf } from './plan-note.ts';
import type { ServicePlan, Which } from './plan.ts';

/** `head`: the comment it begins with, one line that says whose it is. */
export function systemdUnit(plan: ServicePlan, head = headOf(plan)): string {
  const isSystem = plan.scope === 'system';
  const sections = [
    ['[Unit]', ...about(isSystem)],
    ['[Service]', ...running(plan), ...(isSystem ? confined(plan) : modest)],
    ['[Install]', `WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}`],
  ];
  return `# ${head}\n# ${noteOf(plan)}\n\n${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function headOf({ name }: Which): string {
  return `Made by 'platen service install', which writes it anew; own lines belong into a drop-in: systemctl edit ${name}`;
}

/** Where the service keeps what it can do without. */
export function cacheFolder({ name }: Pick<Which, 'name'>): string {
  return join('/var/cache', name);
}

function about(isSystem: boolean): string[] {
  const network = ['Wants=network-online.target', 'After=network-online.target'];
  return ['Description=Platen, web pages into PDF documents and images', ...(isSystem ? network : [])];
}

function running({ program, data }: ServicePlan): string[] {
  return [
    'Type=exec',
    `ExecStart=${command([...program, 'serve', '--data', data])}`,
    // The launcher alone hears of a stop; it gives running jobs 30 s, and the display two.
    'KillMode=mixed',
    'TimeoutStopSec=45',
    // Crashes are the launcher's own affair; it gives up after ten starts in a row. A wrong setting (2) and a
    // data folder of a newer version (3) are not mended by another.
    'Restart=on-failure',
    'RestartSec=15',
    'RestartPreventExitStatus=2 3',
    // A renderer that ran out of memory is replaced; systemd would end the service.
    'OOMPolicy=continue',
    'LimitNOFILE=16384',
    'UMask=0077',
    'UnsetEnvironment=DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS',
  ];
}

/** What systemd as the manager of a user's services, having no rights itself, can forbid. */
const modest = ['NoNewPrivileges=yes', 'LockPersonality=yes', 'SystemCallArchitectures=native'];

function confined(plan: ServicePlan): string[] {
  return [
    `User=${plan.as}`,
    ...folders(plan),
    ...hidden(plan),
    ...ports(plan),
    ...unneeded,
    // Chromium's sandbox is made of these three.
    'RestrictNamespaces=user pid net',
    // chroot and seccomp: the sandbox's last steps. V8 makes code as it runs, so MemoryDenyWriteExecute is not for us.
    'SystemCallFilter=@system-service chroot seccomp pkey_alloc pkey_free pkey_mprotect',
    'SystemCallErrorNumber=EPERM',
    'SystemCallArchitectures=native',
  ];
}

/** All else is read-only. systemd makes those that are named after the service, and gives them to its user. */
function folders({ name, data, writable }: ServicePlan): string[] {
  const isOwn = data === join('/var/lib', name);
  // One on a drive that is away (-) is no reason not to start.
  const others = [...(isOwn ? [] : [data]), ...writable.map((folder) => `-${folder}`)];
  return [
    ...(isOwn ? [`StateDirectory=${name}`, 'StateDirectoryMode=0700'] : []),
    `CacheDirectory=${name}`,
    'CacheDirectoryMode=0700',
    `LogsDirectory=${name}`,
    'LogsDirectoryMode=0700',
    `Environment=HOME=${cacheFolder({ name })}`,
    'ProtectSystem=strict',
    ...(others.length === 0 ? [] : [`ReadWritePaths=${others.map(unitWord).join(' ')}`]),
  ];
}

/** Homes and temporary files, unless the program or what it works with lies there. */
function hidden({ data, writable, reads }: ServicePlan): string[] {
  const needed = [data, ...writable, ...reads];
  const isIn = (...above: string[]) =>
    needed.some((path) => above.some((folder) => path === folder || path.startsWith(`${folder}/`)));
  return [
    `ProtectHome=${isIn('/home', '/root', '/run/user') ? 'read-only' : 'yes'}`,
    ...(isIn('/tmp', '/var/tmp') ? [] : ['PrivateTmp=yes']),
    'PrivateDevices=yes',
  ];
}

function ports({ lowPort }: ServicePlan): string[] {
  if (!lowPort) return ['CapabilityBoundingSet='];
  return ['CapabilityBoundingSet=CAP_NET_BIND_SERVICE', 'AmbientCapabilities=CAP_NET_BIND_SERVICE'];
}

const unneeded = [
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

/** systemd fills in variables, not in the name of the program though, in which it allows no quotes. */
function command(words: readonly string[]): string {
  const [program = '', ...parameters] = /["'\\]/.test(words[0] ?? '') ? ['/usr/bin/env', ...words] : words;
  return [program, ...parameters.map((word) => word.replaceAll('$', '$$$$'))].map(unitWord).join(' ');
}

/** It fills in specifiers everywhere. */
function unitWord(word: string): string {
  const plain = word.replaceAll('%', '%%');
  return /^[\w./%$:@+,=-]+$/.test(plain) ? plain : `"${plain.replace(/["\\]/g, '\\$&')}"`;
}
