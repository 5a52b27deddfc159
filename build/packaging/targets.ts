/** Parses the arguments of `npm run dist`: the packages of each platform. */

/** The names of electron-builder, and `dir`, the application as a folder. */
const packages: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['dir', 'tar.gz', 'deb', 'AppImage'],
  win32: ['dir', 'nsis', 'msi', 'zip'],
  darwin: ['dir', 'dmg', 'zip'],
};

/** Packages that our own steps build, without electron-builder. */
export const ownPackages: readonly string[] = ['dir', 'tar.gz', 'deb'];

const architectures = ['x64', 'arm64'];

export interface Targets {
  readonly packages: readonly string[];
  /** Node's name of the processor. */
  readonly arch: string;
}

export interface TargetArguments {
  readonly words: readonly string[];
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

/** All packages of the platform unless some are named; `--arch x64` or `--arch arm64`. @throws Error with one sentence */
export function readTargets({ words, platform, arch: ours }: TargetArguments): Targets {
  const known = packages[platform];
  if (known === undefined)
    throw new Error(`There is no package for ${platform}: run the command on Linux, Windows or macOS.`);
  const [names, arch] = splitArch(words, ours);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `${unknown.join(', ')}: there is no such package for ${platform}; name some of ${known.join(', ')}, or none for all.`,
    );
  if (!architectures.includes(arch)) throw new Error(`--arch takes ${architectures.join(' or ')}.`);
  if (platform === 'linux' && arch !== ours)
    throw new Error(
      `On Linux a package is tried out where it is made: run the command on a machine with ${arch}.`,
    );
  return { packages: names.length > 0 ? names : known, arch };
}

function splitArch(words: readonly string[], ours: string): [string[], string] {
  const at = words.indexOf('--arch');
  if (at < 0) return [[...words], ours];
  return [[...words.slice(0, at), ...words.slice(at + 2)], words[at + 1] ?? ''];
}
