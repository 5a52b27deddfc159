/** Selects the registry packages for a bundle: all packages of the lock file that fit one of the platforms of the bundle. */

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

/** Returns `name@version`, sorted. `lock` is `packages` of package-lock.json. */
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

/** node_modules/a/node_modules/@b/c becomes @b/c. */
function nameAt(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Whether the package can be installed on the platform. A package for musl cannot, because Electron needs glibc. */
function fits({ os, cpu, libc }: LockedPackage, platform: PlatformName): boolean {
  const [system = '', processor = ''] = platform.split('-');
  if (!allows(os, system) || !allows(cpu, processor)) return false;
  return system !== 'linux' || allows(libc, 'glibc');
}

/** https://docs.npmjs.com/cli/configuring-npm/package-json#os: allowed names, or forbidden names after an exclamation mark. */
function allows(list: readonly string[] | undefined, name: string): boolean {
  if (list === undefined || list.length === 0) return true;
  if (list.includes(`!${name}`)) return false;
  return list.includes(name) || list.every((item) => item.startsWith('!'));
}
