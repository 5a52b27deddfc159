/**
 * `platen service suspend` and `resume`: stop everything that runs from an installation before its files are replaced, and start it
 * again afterwards. A state file records what to start.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { messageOf } from '../../../failure/failure.ts';
import type { ParsedArguments } from '../../../fields/arguments.ts';
import { printLine } from '../../terminal.ts';
import { assertPermitted, commandWith } from '../installation.ts';
import { serviceHostFor } from '../hosts.ts';
import type { FoundService, ServiceHost } from '../service-host.ts';
import { installationFolder } from './installation-folder.ts';
import { restartCopy, suspendedCopySchema } from './restart-copy.ts';
import { launcherArguments, stopCopies, type StoppedCopies } from './running-copies.ts';

const stateSchema = z.object({
  /** Labels of the services to start. A label is only looked up, so the file cannot name a command to run as a service. */
  services: z.array(z.string()),
  /** Copies that users had started. They start again as these users. */
  copies: z.array(suspendedCopySchema),
});

export type SuspendedState = z.infer<typeof stateSchema>;

const emptyState: SuspendedState = { services: [], copies: [] };

interface Suspension {
  readonly folder: string;
  readonly stateFile: string;
  readonly host: ServiceHost;
  readonly stop?: (folder: string) => Promise<StoppedCopies>;
}

export async function suspendInstallation(parsed: ParsedArguments): Promise<number> {
  const suspension = { ...locate(parsed), host: serviceHostFor(process.platform) };
  return await suspend(suspension);
}

export async function resumeInstallation(parsed: ParsedArguments): Promise<number> {
  return await resume({ ...locate(parsed), host: serviceHostFor(process.platform) });
}

function locate(parsed: ParsedArguments) {
  const folder = installationFolder(parsed);
  // Beside the folder, because an upgrade may delete the folder. Who can write there could also replace the program.
  return { folder, stateFile: `${folder}.suspended.json` };
}

/** Stops everything and resolves with the exit code. @throws Error with a one-sentence message if a service does not stop */
export async function suspend({ folder, stateFile, host, stop = stopCopies }: Suspension): Promise<number> {
  // A state from before belongs to an upgrade that failed: what it stopped must start after this one.
  const earlier = readState(stateFile);
  const services = await permittedServices(host, folder, []);
  const started = services.filter(({ isStarted }) => isStarted);
  const labels = new Set([...earlier.services, ...started.map(({ label }) => label)]);
  // Written first, so that a stop that fails half-way can be resumed.
  writeState(stateFile, { services: [...labels], copies: earlier.copies });
  for (const service of started) {
    await service.stop();
    printLine(`Stopped the service ${service.label}.`);
  }
  const { launchers, killed } = await stop(folder);
  const copies = launchers.flatMap(({ user, commandLine, data }) => {
    const parameters = launcherArguments(commandLine);
    return data !== undefined && /^"?(serve|desktop)"?(\s|$)/.test(parameters)
      ? [{ user, parameters, data }]
      : [];
  });
  writeState(stateFile, { services: [...labels], copies: [...earlier.copies, ...copies] });
  for (const { user, commandLine } of launchers) printLine(`Stopped ${commandLine} (user ${user}).`);
  if (killed.length > 0) printLine(`Killed what did not stop in time: ${killed.join(', ')}.`);
  return 0;
}

/**
 * Starts what `suspend` has stopped, and removes the state file. Resolves with 1 if something could not be started; the other
 * services still start. @throws Error with a one-sentence message if the services cannot be listed
 */
export async function resume({ folder, stateFile, host }: Suspension): Promise<number> {
  const { services: labels, copies } = readState(stateFile);
  const services = labels.length === 0 ? [] : await permittedServices(host, folder, labels);
  const isElevated =
    copies.length > 0 && (await host.findObstacle({ name: 'platen', scope: 'system' })) === undefined;
  const starts = [
    ...labels.map((label) => ({
      what: `the service ${label}`,
      start: () => startByLabel(services, label, folder),
    })),
    ...copies.map((copy) => ({
      what: `Platen for ${copy.user} (${copy.parameters})`,
      start: () => restartCopy(folder, copy, isElevated),
    })),
  ];
  let failures = 0;
  for (const { what, start } of starts) {
    try {
      await start();
      printLine(`Started ${what}.`);
    } catch (problem) {
      failures += 1;
      process.stderr.write(`platen: ${what} was not started: ${messageOf(problem)}\n`);
    }
  }
  rmSync(stateFile, { force: true });
  return failures === 0 ? 0 : 1;
}

/** @throws Error with a one-sentence message, for example if the service runs a program in another folder than the installation */
async function startByLabel(services: readonly FoundService[], label: string, folder: string): Promise<void> {
  const service = services.find((candidate) => candidate.label === label);
  if (service === undefined)
    throw new Error(
      `no service of that name runs from ${folder}; if Platen was moved there, move the service too: run ${commandWith('service', 'install')} with its --name, --user and --data.`,
    );
  await service.start();
}

/** Finds the services of the installation. @throws Error with a one-sentence message if this user may not change one of them */
export async function permittedServices(
  host: ServiceHost,
  folder: string,
  labels: readonly string[],
): Promise<readonly FoundService[]> {
  const services = await host.findServices(folder, labels);
  const [system] = services.filter(({ plan }) => plan.scope === 'system');
  if (system !== undefined) await assertPermitted(host, system.plan);
  return services;
}

function readState(file: string): SuspendedState {
  if (!existsSync(file)) return emptyState;
  try {
    return stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(
      `${file} is not a state file of 'platen service suspend'; delete it, and start the services by hand.`,
      {
        cause,
      },
    );
  }
}

function writeState(file: string, state: SuspendedState): void {
  writeFileSync(file, JSON.stringify(state, null, 2), { mode: 0o600 });
}
