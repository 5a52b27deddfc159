/** The user a service runs as: found, and made where it is missing. */
import { existsSync } from 'node:fs';
import { mayRun, mustRun } from './command.ts';
import type { Identity } from './service-host.ts';

/** A user who owns nothing, cannot log in and has no home. @throws Error with one sentence */
export async function ensureLinuxUser(name: string): Promise<Identity> {
  const known = await identityOf(name);
  if (known !== undefined) return known;
  const shell = ['/usr/sbin/nologin', '/sbin/nologin'].find((path) => existsSync(path)) ?? '/bin/false';
  const words = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  await mustRun(['useradd', ...words, '--shell', shell, name]);
  return await mustBe(name);
}

/** Role accounts have a name that begins with _, and a number up to 400 (sysadminctl(8)). @throws Error with one sentence */
export async function ensureMacUser(name: string): Promise<Identity> {
  const known = await identityOf(name);
  if (known !== undefined) return known;
  if (!name.startsWith('_'))
    throw new Error(`there is no user ${name}; one is made only when its name begins with _.`);
  const users = await mustRun(['dscl', '.', '-list', '/Users', 'UniqueID']);
  const taken: readonly string[] = users.match(/\d+$/gm) ?? [];
  const numbers = Array.from({ length: 100 }, (_, index) => String(399 - index));
  const free = numbers.find((number) => !taken.includes(number));
  if (free === undefined) throw new Error('no number is free for a user of the service; name one with --as.');
  const words = ['-fullName', 'Platen', '-UID', free, '-shell', '/usr/bin/false', '-home', '/var/empty'];
  await mustRun(['sysadminctl', '-addUser', name, ...words, '-roleAccount']);
  return await mustBe(name);
}

/** Undefined for a name nobody has. */
async function identityOf(name: string): Promise<Identity | undefined> {
  const [uid, gid] = await Promise.all([mayRun(['id', '-u', name]), mayRun(['id', '-g', name])]);
  if (uid === undefined || gid === undefined) return undefined;
  return { uid: Number(uid), gid: Number(gid) };
}

async function mustBe(name: string): Promise<Identity> {
  const made = await identityOf(name);
  if (made === undefined) throw new Error(`the user ${name} was made, but is not known; make it by hand.`);
  return made;
}
