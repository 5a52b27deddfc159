/** Generates INSTALL.txt and the script `offline` of the bundle, which runs a command with the contents of the bundle only. */

export interface BundleFacts {
  readonly version: string;
  /** `process.platform` and `process.arch` of the bundled Electron and Node.js, such as `linux-x64`. */
  readonly platform: string;
  readonly electron: string;
  readonly node: string | undefined;
  /** The Debian packages whose fonts the bundle contains. */
  readonly fonts: readonly string[];
  /** A line for each part that is not in the bundle, with the reason or the remedy. */
  readonly missing: readonly string[];
  /** The URL of the registry from which the cached packages were downloaded. npm's cache keys contain the URL. */
  readonly registry: string;
}

/**
 * The Debian packages of the libraries and the X server that Electron needs. docs/install.md lists the packages of other
 * distributions.
 */
export const systemPackages = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'xvfb'];

/** Returns the text of INSTALL.txt. */
export function instructions(facts: BundleFacts): string {
  return `${[
    `PLATEN ${facts.version} FOR ${facts.platform}, WITHOUT A NETWORK`,
    contents(facts),
    steps(facts),
    `Further reading: platen/README.md, platen/docs/install.md.`,
  ].join('\n\n')}\n`;
}

function contents({ electron, node, fonts, missing, platform }: BundleFacts): string {
  const inside = [
    'platen/     the sources',
    'npm-cache/  all packages in platen/package-lock.json, including those for tests and tools',
    `electron/   Electron ${electron}`,
    node === undefined ? '' : `node/       Node.js ${node} with npm`,
    fonts.length === 0 ? '' : `fonts/      ${fonts.join(', ')}, with their licences`,
    `offline${platform.startsWith('win32') ? '.cmd' : '    '} runs a command with these files only`,
    'SHA256SUMS  checksums of all files',
  ];
  const missingLines = missing.map((sentence) => `NOT INSIDE: ${sentence}`);
  return [...inside.filter(Boolean), ...missingLines].join('\n');
}

function steps({ platform, node, fonts }: BundleFacts): string {
  const windows = platform.startsWith('win32');
  const offline = windows ? 'offline' : './offline';
  const all = [
    'Unpack the bundle in its final folder: the build output contains its path.',
    `Verify the files:\n\n     ${checkSums(platform)}`,
    ...(platform.startsWith('linux') ? [system()] : []),
    ...(fonts.length > 0 ? [fontsStep()] : []),
    ...(node === undefined ? ['Install Node.js 20.15 or newer, and add it to PATH.'] : []),
    `Build and start it; Ctrl-C stops it:\n\n     ${offline} npm start`,
    `Or build packages, which do not need this folder (platen/dist/), and install them:\n\n     ${offline} npm run dist`,
  ];
  return all.map((step, index) => `${index + 1}. ${step}`).join('\n\n');
}

/** Returns the command that checks SHA256SUMS with a tool of the platform: PowerShell on Windows, Perl's shasum on macOS. */
function checkSums(platform: string): string {
  if (platform.startsWith('win32'))
    return `powershell "Get-Content SHA256SUMS | ForEach-Object { $sum, $file = $_ -split '  ', 2; if ((Get-FileHash $file).Hash -ne $sum) { $file } }"

   The command prints the files that differ.`;
  if (platform.startsWith('darwin')) return 'shasum -a 256 --check SHA256SUMS';
  return 'sha256sum --quiet --check SHA256SUMS';
}

function system(): string {
  return `On Debian and Ubuntu, install these packages from your mirror or the installation media (the names of some end in t64 on
   newer releases; other systems: GTK 3, NSS, ALSA, GBM, Xvfb):

     apt-get install --no-install-recommends ${systemPackages.join(' ')}`;
}

function fontsStep(): string {
  return `Fonts, for all users (or into ~/.local/share/fonts for one):

     mkdir -p /usr/local/share/fonts && cp -r fonts/. /usr/local/share/fonts/`;
}

/** Returns the script `offline` for a POSIX shell. */
export function offlineScript(registry: string): string {
  return `#!/bin/sh
# Runs a command in platen/ with the contents of this folder only: ./offline npm start
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
[ ! -d "$here/node" ] || export PATH="$here/node/bin:$PATH"
export npm_config_cache="$here/npm-cache" npm_config_offline=true npm_config_registry='${registry}'
export PLATEN_ELECTRON_DIST="$here/electron"
cd "$here/platen"
exec "$@"
`;
}

/** Returns the script `offline.cmd` for Windows. */
export function offlineBatch(registry: string): string {
  const lines = [
    '@echo off',
    'rem Runs a command in platen\\ with the contents of this folder only: offline npm start',
    'setlocal',
    'set "here=%~dp0"',
    'if exist "%here%node" set "PATH=%here%node;%PATH%"',
    'set "npm_config_cache=%here%npm-cache"',
    'set npm_config_offline=true',
    `set npm_config_registry=${registry}`,
    'set "PLATEN_ELECTRON_DIST=%here%electron"',
    'cd /d "%here%platen"',
    'call %*',
    'exit /b %ERRORLEVEL%',
  ];
  return `${lines.join('\r\n')}\r\n`;
}
