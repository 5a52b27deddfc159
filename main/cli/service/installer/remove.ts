/** `platen service remove`: removes everything that an installation has set up in the system, before its files are deleted. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { messageOf } from '../../../failure/failure.ts';
import type { ParsedArguments } from '../../../fields/arguments.ts';
import { loginItemPath } from '../../../launch/launcher-command.ts';
import { runProgram } from '../../../launch/run-program.ts';
import { defaultDataFolder } from '../../../settings/data-folder.ts';
import { printLine } from '../../terminal.ts';
import { runPowerShell } from '../command.ts';
import { removePlatenFiles } from '../data-folder.ts';
import { serviceHostFor } from '../hosts.ts';
import type { FoundService, ServiceHost } from '../service-host.ts';
import { removeFirewallRules } from '../windows-firewall.ts';
import { installationFolder } from './installation-folder.ts';
import { stopCopies } from './running-copies.ts';
import { permittedServices } from './suspend.ts';

export async function removeInstallation(parsed: ParsedArguments): Promise<number> {
  return await remove({
    folder: installationFolder(parsed),
    host: serviceHostFor(process.platform),
    removesData: parsed.flags.has('purge'),
  });
}

interface Removal {
  readonly folder: string;
  readonly host: ServiceHost;
  /** Whether to remove Platen's files in the data folders of system services and of this user too. */
  readonly removesData: boolean;
  readonly stop?: typeof stopCopies;
  readonly platform?: NodeJS.Platform;
  readonly run?: typeof runProgram;
}

interface RemovalStep {
  /** Completes the sentence "Removed ...". */
  readonly what: string;
  readonly take: () => Promise<void>;
}

/**
 * Removes services, login items and firewall rules, and stops all copies. A step that fails is reported, and the next ones still
 * run. Resolves with the exit code. @throws Error with a one-sentence message if this user may not remove a service
 */
export async function remove({
  folder,
  host,
  removesData,
  stop = stopCopies,
  platform = process.platform,
  run = runProgram,
}: Removal): Promise<number> {
  const services = await permittedServices(host, folder, []);
  const steps: RemovalStep[] = services.map((service) => ({
    what: `the service ${service.label}`,
    take: () => removeService(service, removesData),
  }));
  steps.push({
    what: 'running copies',
    async take() {
      await stop(folder);
    },
  });
  steps.push({ what: 'login items', take: () => removeLoginItems(folder, platform, run) });
  if (platform === 'win32')
    steps.push({ what: 'firewall rules', take: () => removeFirewallRules(folder, run) });
  if (removesData) steps.push({ what: 'the data folder of this user', take: removeOwnData });
  steps.push({
    what: 'the state of an upgrade',
    async take() {
      await rm(`${folder}.suspended.json`, { force: true });
    },
  });
  let failures = 0;
  for (const { what, take } of steps) {
    try {
      await take();
      printLine(`Removed ${what}.`);
    } catch (problem) {
      failures += 1;
      process.stderr.write(`platen: ${what}: ${messageOf(problem)}\n`);
    }
  }
  return failures === 0 ? 0 : 1;
}

async function removeService(service: FoundService, removesData: boolean): Promise<void> {
  await service.uninstall();
  // Another user may have named any folder as the data folder of a service.
  if (removesData && service.plan.scope === 'system') await removeData(service.plan.data);
}

async function removeOwnData(): Promise<void> {
  await removeData(defaultDataFolder());
}

async function removeData(folder: string): Promise<void> {
  const remaining = await removePlatenFiles(folder);
  if (remaining.length > 0) printLine(`${folder} still contains ${remaining.join(', ')}.`);
}

/**
 * Deletes values that start a program of the installation, and their entries in the task manager's list. An administrator reaches
 * the registry of all users who are logged in.
 */
const windowsLoginItems = [
  `$key = '\\Software\\Microsoft\\Windows\\CurrentVersion\\'`,
  `foreach ($user in Get-ChildItem -ErrorAction SilentlyContinue -LiteralPath 'Registry::HKEY_USERS') { $run = 'Registry::' + $user.Name + $key + 'Run'; $values = Get-Item -ErrorAction SilentlyContinue -LiteralPath $run; if ($values) { foreach ($name in $values.GetValueNames()) { if (([string]$values.GetValue($name)).ToLowerInvariant().Contains($env:PLATEN_INSTALLATION.ToLowerInvariant() + '\\')) { Remove-ItemProperty -LiteralPath $run -Name $name; Remove-ItemProperty -ErrorAction SilentlyContinue -LiteralPath ('Registry::' + $user.Name + $key + 'Explorer\\StartupApproved\\Run') -Name $name } } } }`,
].join('; ');

async function removeLoginItems(
  folder: string,
  platform: NodeJS.Platform,
  run: typeof runProgram,
): Promise<void> {
  if (platform === 'win32') {
    await runPowerShell(windowsLoginItems, { variables: { PLATEN_INSTALLATION: folder }, run });
    return;
  }
  const file = loginItemPath(platform);
  if (existsSync(file) && readFileSync(file, 'utf8').includes(`${folder}/`)) rmSync(file);
}
