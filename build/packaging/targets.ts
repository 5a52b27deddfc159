/** Parses the arguments of `npm run dist`, and defines the package formats of each platform. */

/** The package formats of each platform, by electron-builder's names, and `deb`. `dir` is the application as an unpacked folder. */
const packages: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['dir', 'tar.gz', 'deb', 'AppImage'],
  win32: ['dir', 'nsis', 'msi', 'zip'],
  darwin: ['dir', 'dmg', 'zip'],
};

/** Package formats that are built without electron-builder on Linux. */
export const packagesWithoutElectronBuilder: readonly string[] = ['dir', 'tar.gz', 'deb'];

const architectures = ['x64', 'arm64'];

export interface Targets {
  readonly packages: readonly string[];
  /** CPU architecture, as in `process.arch`. */
  readonly arch: string;
}

export interface TargetArguments {
  readonly words: readonly string[];
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

/**
 * Returns the named packages, or all packages of the platform if none is named. Accepts `--arch x64` and `--arch arm64`.
 * @throws Error with a message for the user
 */
export function readTargets({ words, platform, arch: hostArch }: TargetArguments): Targets {
  const known = packages[platform];
  if (known === undefined)
    throw new Error(`There is no package for ${platform}: run the command on Linux, Windows or macOS.`);
  const [names, arch] = splitArch(words, hostArch);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `${unknown.join(', ')}: there is no such package for ${platform}. Name one or more of ${known.join(', ')}, or none to build all.`,
    );
  if (!architectures.includes(arch)) throw new Error(`--arch takes ${architectures.join(' or ')}.`);
  if (platform === 'linux' && arch !== hostArch)
    throw new Error(
      `Packages for Linux are tested on the machine that builds them: run the command on a machine with ${arch}.`,
    );
  return { packages: names.length > 0 ? names : known, arch };
}

function splitArch(words: readonly string[], hostArch: string): [string[], string] {
  const at = words.indexOf('--arch');
  if (at < 0) return [[...words], hostArch];
  return [[...words.slice(0, at), ...words.slice(at + 2)], words[at + 1] ?? ''];
}
