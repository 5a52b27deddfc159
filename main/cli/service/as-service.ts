/** Our own command line, and questions about files, as the user the service runs as. */
import { existsSync } from 'node:fs';
import { ownProgram } from '../../launch/own-command.ts';
import { runProgram, type Circumstances, type Ended } from '../../launch/run-program.ts';
import type { Identity } from './service-host.ts';

interface AsService {
  readonly identity: Identity | undefined;
  readonly input?: string;
  /** Whether it may open a port below 1024, as the service may. */
  readonly lowPort: boolean;
}

/** Without what this shell says of settings and a desktop: the service will not hear of it. */
export async function runAsService(
  words: readonly string[],
  { identity, input, lowPort }: AsService,
): Promise<Ended> {
  const own = [...ownProgram(), ...words];
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATEN_|DISPLAY$)/.test(name));
  const circumstances = {
    environment: Object.fromEntries(inherited),
    ...(input !== undefined && { input }),
  };
  if (identity === undefined) return await runProgram(own, circumstances);
  const rights = lowPort ? ['--inh-caps=+net_bind_service', '--ambient-caps=+net_bind_service'] : [];
  return await runAs(identity, own, { ...circumstances, rights });
}

interface Means extends Circumstances {
  /** For setpriv(1). */
  readonly rights?: readonly string[];
}

/** With all groups of that user, as the service has them; without setpriv only with his own. */
async function runAs(
  user: Identity,
  words: readonly string[],
  { rights = [], ...circumstances }: Means = {},
): Promise<Ended> {
  const setpriv = '/usr/bin/setpriv';
  if (!existsSync(setpriv)) return await runProgram(words, { ...circumstances, user });
  const become = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--init-groups', ...rights, '--'];
  return await runProgram([setpriv, ...become, ...words], circumstances);
}

/** @throws Error with one sentence that names a file the user may not read */
export async function refuseUnreadable(
  paths: readonly string[],
  name: string,
  user: Identity | undefined,
): Promise<void> {
  if (user === undefined) return;
  for (const path of paths) {
    const { code } = await runAs(user, ['/bin/sh', '-c', 'test -r "$0"', path]);
    if (code !== 0)
      throw new Error(
        `${path} cannot be read by the user ${name}, so the service could not run; move Platen where everybody may read it (/opt/platen; 'npm run dist' makes such a folder of a clone), or name with --as a user who may.`,
      );
  }
}

/** @throws Error with one sentence when the user cannot write there, be it because a folder above it is closed to him */
export async function refuseClosed(folder: string, name: string, user: Identity | undefined): Promise<void> {
  if (user === undefined) return;
  const { code } = await runAs(user, ['/bin/sh', '-c', 'test -w "$0/."', folder]);
  if (code !== 0)
    throw new Error(
      `${folder} cannot be written by the user ${name}: it is not there, or it or a folder above it is closed to him; make it and give it to that user, or name another.`,
    );
}
