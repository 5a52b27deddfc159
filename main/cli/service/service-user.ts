/** Finds the system user that runs a service, and creates the user if it does not exist. */
import { existsSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
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
 * The ids of role accounts, the highest first. sysadminctl accepts only ids in a range that depends on the version of macOS: from 450
 * in macOS 26, at most 400 in earlier versions (sysadminctl(8)).
 */
const roleAccountIds = [range(499, 450), range(399, 300)];

function range(from: number, to: number): readonly string[] {
  return Array.from({ length: from - to + 1 }, (_, index) => String(from - index));
}

/**
 * Returns the user's ids. If the user does not exist, creates a role account, whose name starts with _.
 * @throws Error with a one-sentence message
 */
export async function ensureMacUser(name: string, run = runProgram): Promise<Identity> {
  const existing = await identityOf(name, run);
  if (existing !== undefined) return existing;
  if (!name.startsWith('_'))
    throw new Error(`there is no user ${name}; only a user whose name starts with _ is created.`);
  const users = await runOrThrow(['dscl', '.', '-list', '/Users', 'UniqueID'], { run });
  const usedIds: readonly string[] = users.match(/(?<!\d)\d+$/gm) ?? [];
  const freeIds = roleAccountIds.flatMap((ids) => ids.find((id) => !usedIds.includes(id)) ?? []);
  let problem: unknown = new Error('no user id is free for the service; name an existing user with --as.');
  for (const id of freeIds) {
    try {
      return await createRoleAccount(name, id, run);
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

async function createRoleAccount(name: string, id: string, run: typeof runProgram): Promise<Identity> {
  // The group staff. Without a group, the user may get nobody, whose id (4294967294) Node.js refuses in spawn.
  const ids = ['-UID', id, '-GID', '20'];
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

/** How long a new user may be unknown. sysadminctl may end before the directory service knows the user. */
const visibilityTimeoutMs = 5000;
const pollIntervalMs = 250;

async function requireIdentity(name: string, run = runProgram): Promise<Identity> {
  const end = performance.now() + visibilityTimeoutMs;
  for (;;) {
    const identity = await identityOf(name, run);
    if (identity !== undefined) return identity;
    if (performance.now() > end)
      throw new Error(`the user ${name} was created but cannot be found; create it by hand.`);
    await after(pollIntervalMs);
  }
}
