/** Finds the system user that runs a service, and creates the user if it does not exist. */
import { existsSync } from 'node:fs';
import { runProgram } from '../../launch/run-program.ts';
import { tryRun, runOrThrow } from './command.ts';
import type { Identity } from './service-host.ts';

/**
 * Returns the user's ids. If the user does not exist, creates a system user without login and home folder.
 * @throws Error with a one-sentence message
 */
export async function ensureLinuxUser(name: string): Promise<Identity> {
  const existing = await identityOf(name);
  if (existing !== undefined) return existing;
  const shell = ['/usr/sbin/nologin', '/sbin/nologin'].find((path) => existsSync(path)) ?? '/bin/false';
  const flags = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  await runOrThrow(['useradd', ...flags, '--shell', shell, name]);
  return await requireIdentity(name);
}

/**
 * Returns the user's ids. If the user does not exist, creates a role account, whose name starts with _ and whose id is at most 400
 * (sysadminctl(8)).
 * @throws Error with a one-sentence message
 */
export async function ensureMacUser(name: string, run = runProgram): Promise<Identity> {
  const existing = await identityOf(name, run);
  if (existing !== undefined) return existing;
  if (!name.startsWith('_'))
    throw new Error(`there is no user ${name}; only a user whose name starts with _ is created.`);
  const users = await runOrThrow(['dscl', '.', '-list', '/Users', 'UniqueID'], { run });
  const usedIds: readonly string[] = users.match(/\d+$/gm) ?? [];
  const candidates = Array.from({ length: 100 }, (_, index) => String(399 - index));
  const freeId = candidates.find((id) => !usedIds.includes(id));
  if (freeId === undefined)
    throw new Error('no user id is free for the service; name an existing user with --as.');
  // The group staff. Without a group, the user may get nobody, whose id (4294967294) Node.js refuses in spawn.
  const ids = ['-UID', freeId, '-GID', '20'];
  const flags = ['-fullName', 'Platen', ...ids, '-shell', '/usr/bin/false', '-home', '/var/empty'];
  await runOrThrow(['sysadminctl', '-addUser', name, ...flags, '-roleAccount'], { run });
  return await requireIdentity(name, run);
}

/** Returns the user's ids; undefined for an unknown user. */
async function identityOf(name: string, run = runProgram): Promise<Identity | undefined> {
  const [uid, gid] = await Promise.all([tryRun(['id', '-u', name], run), tryRun(['id', '-g', name], run)]);
  if (uid === undefined || gid === undefined) return undefined;
  return { uid: Number(uid), gid: Number(gid) };
}

async function requireIdentity(name: string, run = runProgram): Promise<Identity> {
  const identity = await identityOf(name, run);
  if (identity === undefined)
    throw new Error(`the user ${name} was created but cannot be found; create it by hand.`);
  return identity;
}
