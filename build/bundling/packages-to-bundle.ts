/** Selects the registry packages for a bundle: all packages in the lock file that can be installed on one of its platforms. */

export interface LockedPackage {
  readonly version?: string;
  /** The name in the registry, if the package is installed under another name (an npm alias). */
  readonly name?: string;
  readonly link?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** `process.platform` and `process.arch`, such as `linux-x64`. */
export type PlatformName = string;

/** Returns the packages as `name@version`, sorted. `lock`: the property `packages` of package-lock.json. */
export function packagesToBundle(
  lock: Readonly<Record<string, LockedPackage>>,
  platforms: readonly PlatformName[],
): string[] {
  const found = Object.entries(lock)
    .filter(([place, entry]) => place !== '' && entry.link !== true)
    .filter(([, entry]) => platforms.some((platform) => fits(entry, platform)))
    .map(([place, { name, version = '' }]) => `${name ?? nameAt(place)}@${version}`);
  return [...new Set(found)].sort();
}

/** Returns the package name in a path of the lock file: `@b/c` for `node_modules/a/node_modules/@b/c`. */
function nameAt(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Returns whether the package can be installed on the platform. Packages for musl are excluded, because Electron needs glibc. */
function fits({ os, cpu, libc }: LockedPackage, platform: PlatformName): boolean {
  const [system = '', processor = ''] = platform.split('-');
  if (!allows(os, system) || !allows(cpu, processor)) return false;
  return system !== 'linux' || allows(libc, 'glibc');
}

/**
 * Returns whether the list allows the name. It contains allowed names, or forbidden names that start with an exclamation mark
 * (https://docs.npmjs.com/cli/configuring-npm/package-json#os).
 */
function allows(list: readonly string[] | undefined, name: string): boolean {
  if (list === undefined || list.length === 0) return true;
  if (list.includes(`!${name}`)) return false;
  return list.includes(name) || list.every((item) => item.startsWith('!'));
}
