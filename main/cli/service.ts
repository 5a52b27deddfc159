/** `platen service`: installs and controls Platen as a service of the platform's service manager. */
import { existsSync } from 'node:fs';
import { messageOf } from '../failure/failure.ts';
import { settingNames } from '../settings/table.ts';
import { localUrl } from './local-service.ts';
import { UsageProblem, printLine } from './terminal.ts';
import { findAction, parseArguments } from './arguments.ts';
import type { FlagKinds, ParsedArguments } from '../fields/arguments.ts';
import { restartService, startService, stopService, startAndWait } from './service/run.ts';
import { serviceStatus } from './service/status.ts';
import { launcherProgram } from '../launch/launcher-command.ts';
import { runProgram } from '../launch/run-program.ts';
import { loadSettings } from '../settings/load.ts';
import { assertWritable, assertReadable, runAsService } from './service/run-as-service-user.ts';
import { prepareDataFolder, assertPlatenFolder, removePlatenFiles } from './service/data-folder.ts';
import {
  commandWith,
  isPrivilegedPort,
  readStoredPlan,
  assertPermitted,
  settingsOf,
  withProgram,
  changeableService,
} from './service/installation.ts';
import { checkAsService, WindowServerMissing } from './service/service-check.ts';
import { serviceHostFor } from './service/hosts.ts';
import { removeInstallation } from './service/installer/remove.ts';
import { resumeInstallation, suspendInstallation } from './service/installer/suspend.ts';
import { planOf, readServiceId, type StoredPlan } from './service/plan.ts';
import type { Identity, ServiceHost } from './service/service-host.ts';

interface ServiceAction {
  readonly flags: FlagKinds;
  readonly run: (parsed: ParsedArguments) => Promise<number>;
}

const settingFlags: FlagKinds = Object.fromEntries(settingNames.map((name) => [name, 'value']));

const installationFlags: FlagKinds = { installation: 'value' };

const actions: Readonly<Record<string, ServiceAction>> = {
  install: {
    flags: {
      ...settingFlags,
      as: 'value',
      writable: 'value',
      firewall: 'switch',
      'no-start': 'switch',
      print: 'switch',
    },
    run: installService,
  },
  uninstall: { flags: { purge: 'switch' }, run: uninstallService },
  start: { flags: {}, run: startService },
  stop: { flags: {}, run: stopService },
  restart: { flags: {}, run: restartService },
  status: { flags: { json: 'switch' }, run: serviceStatus },
  suspend: { flags: installationFlags, run: suspendInstallation },
  resume: { flags: installationFlags, run: resumeInstallation },
  remove: { flags: { ...installationFlags, purge: 'switch' }, run: removeInstallation },
};

/** Runs the command and resolves with the exit code. @throws UsageProblem, SettingProblem, Error with a one-sentence message */
export async function service([name, ...parameters]: readonly string[]): Promise<number> {
  if (name === '--help' || parameters.includes('--help')) {
    process.stdout.write(`${serviceHelp}\n`);
    return 0;
  }
  const { flags, run } = findAction('service', actions, name);
  const parsed = parseArguments(parameters, { ...flags, name: 'value', user: 'switch' });
  const [extra] = parsed.positionals;
  if (extra === undefined) return await run(parsed);
  throw new UsageProblem(`'${extra}' is an unexpected argument; 'platen service --help' lists the flags.`);
}

/** Output of `platen service --help`. */
const serviceHelp = `usage: platen service install [--user] [flags]   start Platen when the machine boots, as a separate user;
                                                 updates an installed service and keeps its settings
       platen service uninstall [--purge]        keeps the data folder unless --purge is given
       platen service start | stop | restart     running jobs may finish within 30 s
       platen service status [--json]            exit code 0 if it is running, 3 if it is not
for installers (docs/service.md):
       platen service suspend | resume           stop everything that runs from an installation, start it again
       platen service remove [--purge]           remove its services, login item and firewall rules; keeps data folders
                                                 unless --purge is given

flags of all commands:
  --name NAME       name of the service [platen]
  --user            a service for you only (systemd --user, a launch agent, a task at logon)
flags of install:
  --data DIR        data folder [Linux: /var/lib/NAME, macOS: /Library/Application Support/Platen,
                    Windows: %ProgramData%\\Platen; with --user the default of serve]
  --as USER         system user that runs the service; created if missing [platen; macOS: _platen]; on Windows
                    LocalService [default], NetworkService, SYSTEM or you
  --writable DIR,.. folders the service may write to, in addition to the data folder
  --firewall        let other machines connect through Windows' firewall, in domain and private networks
  --no-start        do not start the service
  --print           print the definition instead of installing it (systemd unit, property list, task)
  any flag of serve (--port 9000, --network public): written into config.json of the data folder, which the console
                    and 'platen config' can change and which updates keep
flags of suspend, resume and remove:
  --installation DIR  folder of the installation [that of this program]

systemd on Linux, launchd on macOS, the Task Scheduler on Windows. Requires root or an administrator, except with --user.`;

// `platen service install`: installs or updates the service.

type PlanChanges = Readonly<Record<string, string>>;

interface ServiceTarget {
  readonly host: ServiceHost;
  readonly plan: StoredPlan;
}

/**
 * Installs or updates the service and resolves with the exit code.
 * @throws UsageProblem, SettingProblem, Error with a one-sentence message
 */
async function installService(parsed: ParsedArguments): Promise<number> {
  const host = serviceHostFor(process.platform);
  const id = readServiceId(parsed);
  const stored = await readStoredPlan(host, id);
  const plan = planOf(parsed, { id, stored, defaults: host.defaults(id) });
  const changes = readChanges(parsed, plan);
  const target = { host, plan };
  if (parsed.flags.has('firewall') && host.allowConnections === undefined)
    throw new UsageProblem(
      '--firewall is for Windows; on this system, open the port with the tool of its firewall.',
    );
  if (parsed.flags.has('print')) {
    process.stdout.write(host.definition(withProgram(plan, portOf(plan, changes))));
    return 0;
  }
  await assertPermitted(host, id);
  const isNewDataFolder = !existsSync(plan.data);
  const identity = await prepare(target);
  if (parsed.flags.has('writable'))
    for (const folder of plan.writable) {
      await assertWritable(folder, plan.as, identity);
      await host.allowWriting?.(plan, folder);
    }
  const code = await writeSettings(target, identity, changes);
  if (code !== 0) return code;
  const servicePlan = { ...withProgram(plan, portOf(plan, {})), url: urlOf(plan) };
  try {
    await checkAsService({ host, plan: servicePlan, isNewDataFolder });
  } catch (problem) {
    if (problem instanceof WindowServerMissing) return await installAgentInstead(parsed, problem);
    throw problem;
  }
  await host.install(servicePlan);
  printLine(`${plan.name} is ${stored === undefined ? 'installed' : 'updated'}.`);
  if (parsed.flags.has('firewall')) await host.allowConnections?.(servicePlan);
  const manualStep = await host.finishInstall?.(plan);
  if (manualStep !== undefined) printLine(manualStep);
  return parsed.flags.has('no-start') ? 0 : await startAndWait(target, 'restart');
}

/**
 * Installs a user service for the user who called sudo, which has a window server while that user is logged in. Resolves with the
 * exit code. @throws Error with a one-sentence message if there is no such user
 */
async function installAgentInstead({ flags }: ParsedArguments, reason: WindowServerMissing): Promise<number> {
  const { SUDO_USER: user = 'root', SUDO_UID: uid = '0' } = process.env;
  const names = ['name', ...settingNames.filter((name) => name !== 'data')];
  const kept = names.flatMap((name) => (flags.has(name) ? [`--${name}`, flags.get(name) ?? ''] : []));
  const install = ['service', 'install', '--user', ...kept];
  if (user === 'root')
    throw new Error(`${reason.message} Run this as the user who stays logged in: ${commandWith(...install)}`);
  printLine(
    `${reason.message} Instead, the service is installed for ${user} and runs while ${user} is logged in; automatic login starts it with the machine.`,
  );
  const asUser = ['launchctl', 'asuser', uid, 'sudo', '-u', user, '-H'];
  const result = await runProgram([...asUser, ...launcherProgram(), ...install], { timeoutMs: 600_000 });
  process.stdout.write(result.out);
  process.stderr.write(result.err);
  return result.code ?? 1;
}

/** Returns the settings to write to config.json. @throws SettingProblem for settings that `serve` would reject */
function readChanges({ flags }: ParsedArguments, { data }: StoredPlan): PlanChanges {
  const names = settingNames.filter((name) => name !== 'data' && flags.has(name));
  const changes = Object.fromEntries(names.map((name) => [name, flags.get(name) ?? '']));
  const asFlags = Object.entries(changes).flatMap(([name, text]) => [`--${name}`, text]);
  loadSettings({ flags: ['--data', data, ...asFlags], environment: {}, config: () => [] });
  return changes;
}

function portOf(plan: StoredPlan, { port }: PlanChanges): number {
  return port === undefined ? settingsOf(plan).port : Number(port);
}

/** Returns the URL at which this machine reaches the service; undefined if it may listen at any free port. */
function urlOf(plan: StoredPlan): string | undefined {
  const settings = settingsOf(plan);
  return settings.port === 0 ? undefined : localUrl(settings);
}

/** Creates the service's user and the data folder, and checks that the user can run the program and write to the folder. */
async function prepare({ host, plan }: ServiceTarget): Promise<Identity | undefined> {
  const identity = await host.ensureUser(plan);
  await assertReadable(withProgram(plan, 0).readPaths, plan.as, identity);
  const { isNew } = await prepareDataFolder(plan, identity);
  await host.secureDataFolder?.(plan, isNew);
  await assertWritable(plan.data, plan.as, identity);
  return identity;
}

/** Writes the settings with `platen config set`, run as the user that will read them. Resolves with the exit code. */
async function writeSettings(
  { host, plan }: ServiceTarget,
  identity: Identity | undefined,
  changes: PlanChanges,
): Promise<number> {
  const current = settingsOf(plan);
  const missing = Object.entries(host.settings).filter(([name]) => current[name as 'log-file'] === undefined);
  const newSettings = { ...Object.fromEntries(missing), ...changes };
  if (Object.keys(newSettings).length === 0) return 0;
  const result = await runAsService(['config', 'set', '-', '--data', plan.data], {
    identity,
    input: JSON.stringify(newSettings),
    mayUsePrivilegedPort: isPrivilegedPort(portOf(plan, changes)),
  });
  if (result.code !== 0) process.stderr.write(result.err);
  return result.code ?? 1;
}

// `platen service uninstall`: removes the service, and its data folder only with --purge.

/** Uninstalls the service and resolves with the exit code. @throws Error with a one-sentence message */
async function uninstallService(parsed: ParsedArguments): Promise<number> {
  const { host, plan } = await changeableService(readServiceId(parsed));
  if (parsed.flags.has('purge')) await assertPlatenFolder(plan.data);
  await host.uninstall(plan);
  process.stdout.write(`${plan.name} is uninstalled.\n`);
  if (!parsed.flags.has('purge')) {
    process.stdout.write(`Its data is still in ${plan.data}; a new installation uses it again.\n`);
    return 0;
  }
  const remaining = await removePlatenFiles(plan.data).catch((cause: unknown) => {
    throw new Error(
      `${plan.name} is uninstalled, but Platen's files in ${plan.data} are not all removed (${messageOf(cause)}); delete the rest by hand.`,
      { cause },
    );
  });
  const summary =
    remaining.length === 0
      ? `${plan.data} is removed`
      : `Platen's files in ${plan.data} are removed; other files remain (${remaining.join(', ')})`;
  process.stdout.write(`${summary}. The user ${plan.as} is kept.\n`);
  return 0;
}
