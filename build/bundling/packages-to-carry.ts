/** Owns which registry packages a machine without a registry needs: all of the lock that fit one of its platforms. */

export interface LockedPackage {
  readonly version?: string;
  /** What it is called in the registry, when a folder here has another name. */
  readonly name?: string;
  readonly link?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** `linux-x64` and the like, by Node's names. */
export type PlatformName = string;

/** `name@version`, sorted. `lock` is `packages` of package-lock.json. */
export function packagesToCarry(
  lock: Readonly<Record<string, LockedPackage>>,
  platforms: readonly PlatformName[],
): string[] {
  const found = Object.entries(lock)
    .filter(([place, entry]) => place !== '' && entry.link !== true)
    .filter(([, entry]) => platforms.some((platform) => fits(entry, platform)))
    .map(([place, { name, version = '' }]) => `${name ?? nameAt(place)}@${version}`);
  return [...new Set(found)].sort();
}

/** node_modules/a/node_modules/@b/c is @b/c. */
function nameAt(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Electron needs the GNU C library. */
function fits({ os, cpu, libc }: LockedPackage, platform: PlatformName): boolean {
  const [system = '', processor = ''] = platform.split('-');
  if (!allows(os, system) || !allows(cpu, processor)) return false;
  return system !== 'linux' || allows(libc, 'glibc');
}

/** https://docs.npmjs.com/cli/configuring-npm/package-json#os: names that may, or behind an exclamation mark may not. */
function allows(list: readonly string[] | undefined, name: string): boolean {
  if (list === undefined || list.length === 0) return true;
  if (list.includes(`!${name}`)) return false;
  return list.includes(name) || list.every((one) => one.startsWith('!'));
}
