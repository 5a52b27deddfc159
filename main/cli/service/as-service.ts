/** Runs our command line and file checks as the user of the service. */
import { existsSync } from 'node:fs';
import { launcherProgram } from '../../launch/own-command.ts';
import { runProgram, type RunOptions, type ProgramResult } from '../../launch/run-program.ts';
import type { Identity } from './service-host.ts';

interface RunAsServiceOptions {
  readonly identity: Identity | undefined;
  readonly input?: string;
  /** Whether it may listen on a port below 1024, like the service. */
  readonly lowPort: boolean;
}

/** Removes settings and DISPLAY from the environment, because the service will not get them. */
export async function runAsService(
  words: readonly string[],
  { identity, input, lowPort }: RunAsServiceOptions,
): Promise<ProgramResult> {
  const command = [...launcherProgram(), ...words];
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATEN_|DISPLAY$)/.test(name));
  const circumstances = {
    environment: Object.fromEntries(inherited),
    ...(input !== undefined && { input }),
  };
  if (identity === undefined) return await runProgram(command, circumstances);
  const rights = lowPort ? ['--inh-caps=+net_bind_service', '--ambient-caps=+net_bind_service'] : [];
  return await runAs(identity, command, { ...circumstances, rights });
}

interface RunAsOptions extends RunOptions {
  /** Capability options for setpriv(1). */
  readonly rights?: readonly string[];
}

/** Runs with all groups of the user, like the service; without setpriv only with the primary group. */
async function runAs(
  user: Identity,
  words: readonly string[],
  { rights: privileges = [], ...circumstances }: RunAsOptions = {},
): Promise<ProgramResult> {
  const setpriv = '/usr/bin/setpriv';
  if (!existsSync(setpriv)) return await runProgram(words, { ...circumstances, user });
  const become = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--init-groups', ...privileges, '--'];
  return await runProgram([setpriv, ...become, ...words], circumstances);
}

/** @throws Error with one sentence that names a file which the user cannot read */
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
        `${path} cannot be read by the user ${name}, so the service could not run; move Platen to a folder that everybody can read (/opt/platen; 'npm run dist' makes such a folder from a clone), or choose a user with access by --as.`,
      );
  }
}

/**
 * @throws Error with one sentence if the user cannot write to the folder, for example because a parent folder is
 * not accessible
 */
export async function assertWritable(
  folder: string,
  name: string,
  user: Identity | undefined,
): Promise<void> {
  if (user === undefined) return;
  const { code } = await runAs(user, ['/bin/sh', '-c', 'test -w "$0/."', folder]);
  if (code !== 0)
    throw new Error(
      `${folder} cannot be written by the user ${name}: it does not exist, or the user has no access to it or to a parent folder; create it and give it to that user, or choose another.`,
    );
}
