/** Runs `platen` commands and file checks as the user that runs the service. */
import { existsSync } from 'node:fs';
import { launcherProgram } from '../../launch/launcher-command.ts';
import { assertAcceptsFiles } from '../../launch/make-folder.ts';
import { runProgram, type RunProgramOptions, type ProgramResult } from '../../launch/run-program.ts';
import type { Identity } from './service-host.ts';

interface RunAsServiceOptions {
  readonly identity: Identity | undefined;
  readonly input?: string;
  /** Whether the command may listen on a port below 1024, like the service. */
  readonly mayUsePrivilegedPort: boolean;
}

/**
 * Runs a `platen` command as the service's user. Removes settings and DISPLAY from the environment, because the service does not
 * get them.
 */
export async function runAsService(
  args: readonly string[],
  { identity, input, mayUsePrivilegedPort }: RunAsServiceOptions,
): Promise<ProgramResult> {
  const command = [...launcherProgram(), ...args];
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATEN_|DISPLAY$)/.test(name));
  const runOptions = {
    environment: Object.fromEntries(inherited),
    ...(input !== undefined && { input }),
  };
  if (identity === undefined) return await runProgram(command, runOptions);
  const capabilityFlags = mayUsePrivilegedPort
    ? ['--inh-caps=+net_bind_service', '--ambient-caps=+net_bind_service']
    : [];
  return await runAs(identity, command, { ...runOptions, capabilityFlags });
}

interface RunAsOptions extends RunProgramOptions {
  /** Capability options for setpriv(1). */
  readonly capabilityFlags?: readonly string[];
}

/** Runs a command with all groups of the user, like the service. If setpriv(1) is missing, only with the primary group. */
async function runAs(
  user: Identity,
  command: readonly string[],
  { capabilityFlags = [], ...runOptions }: RunAsOptions = {},
): Promise<ProgramResult> {
  const setpriv = '/usr/bin/setpriv';
  if (!existsSync(setpriv)) return await runProgram(command, { ...runOptions, user });
  const userFlags = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--init-groups', ...capabilityFlags, '--'];
  return await runProgram([setpriv, ...userFlags, ...command], runOptions);
}

/** Checks that the user can read all paths. @throws Error with a one-sentence message that names a path the user cannot read */
export async function assertReadable(
  paths: readonly string[],
  name: string,
  user: Identity | undefined,
): Promise<void> {
  if (user === undefined) return;
  for (const path of paths) {
    const { code } = await runAs(user, ['/bin/sh', '-c', 'test -r "$0"', path]);
    if (code !== 0)
      throw new Error(
        `${path} cannot be read by the user ${name}, so the service could not run; move Platen to a folder that all users can read (such as /opt/platen; 'npm run dist' builds a copyable folder from a clone), or choose a user with access with --as.`,
      );
  }
}

/**
 * Checks that the user can write to the folder. The user may lack access to a parent folder. `user` is undefined for the current user,
 * and on Windows, where a service gets its rights from the service host.
 * @throws Error with a one-sentence message
 */
export async function assertWritable(
  folder: string,
  name: string,
  user: Identity | undefined,
): Promise<void> {
  if (!(user === undefined ? await canWrite(folder) : await canUserWrite(folder, user)))
    throw new Error(
      `${folder} cannot be written by the user ${name}: it does not exist, or the user has no access to it or to a parent folder; create it and give it to that user, or choose another.`,
    );
}

async function canUserWrite(folder: string, user: Identity): Promise<boolean> {
  const { code } = await runAs(user, ['/bin/sh', '-c', 'test -w "$0/."', folder]);
  return code === 0;
}

async function canWrite(folder: string): Promise<boolean> {
  try {
    await assertAcceptsFiles(folder);
    return true;
  } catch {
    return false;
  }
}
