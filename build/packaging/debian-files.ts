/** Generates the text of the files that Debian Policy requires in a package. */

export interface DebianPackage {
  readonly version: string;
  /** CPU architecture, as in `process.arch`. */
  readonly arch: string;
  /** The size of all installed files in bytes. */
  readonly size: number;
  readonly date: Date;
  /** `Name <address>`. */
  readonly maintainer: string;
  readonly licence: string;
}

/** The revision of the Debian package. */
const revision = 1;

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The packages of the libraries that Electron uses (under both names if Debian added t64), of an X server and of fonts. */
const depends = [
  'libc6 (>= 2.28)',
  'libgtk-3-0t64 | libgtk-3-0',
  'libnss3',
  'libasound2t64 | libasound2',
  'libgbm1',
  'xvfb',
  'fonts-liberation',
];
const recommends = ['fonts-noto-core', 'fonts-noto-color-emoji', 'fonts-noto-cjk'];

/** Returns Debian's name of a CPU architecture. @throws Error unless it is x64 or arm64 */
export function debianArchitecture(arch: string): string {
  const name = architectures[arch];
  if (name === undefined) throw new Error(`No Debian architecture is known for ${arch}`);
  return name;
}

/** Returns the control file (https://www.debian.org/doc/debian-policy/ch-controlfields.html). */
export function control({ version, arch, size, maintainer }: DebianPackage): string {
  return `${[
    'Package: platen',
    `Version: ${version}-${revision}`,
    `Architecture: ${debianArchitecture(arch)}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${Math.ceil(size / 1024)}`,
    `Depends: ${depends.join(', ')}`,
    `Recommends: ${recommends.join(', ')}`,
    'Section: web',
    'Priority: optional',
    'Description: turns web pages into PDF documents and images',
    ' An HTTP service that converts URLs, HTML files, archives, and templates with',
    ' data to PDF documents and images. Pages are rendered in offscreen Chromium',
    ' windows that can access only the addresses that the operator allows. Documents',
    ' stay on your network.',
  ].join('\n')}\n`;
}

export function debianVersion(version: string): string {
  return `${version}-${revision}`;
}

/** Returns the changelog (https://www.debian.org/doc/debian-policy/ch-source.html#debian-changelog-debian-changelog). */
export function changelog({ version, maintainer, date }: DebianPackage): string {
  // toUTCString() ends with GMT, but Debian requires a numeric time zone.
  const when = date.toUTCString().replace('GMT', '+0000');
  return `platen (${version}-${revision}) unstable; urgency=medium\n\n  * Version ${version}: see /opt/platen/CHANGELOG.md.\n\n -- ${maintainer}  ${when}\n`;
}

/**
 * Returns the copyright file (https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/). `licence`: the text of LICENSE.
 */
export function copyright({ licence }: DebianPackage): string {
  const [, holder = 'the authors of Platen'] = /^Copyright (.+)$/m.exec(licence) ?? [];
  const text = licence
    .trim()
    .split('\n')
    .map((line) => (line.trim() === '' ? ' .' : ` ${line}`));
  return `${[
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: Platen',
    'Comment: The licences of third parties are in /opt/platen/THIRD-PARTY-NOTICES.txt',
    ' and /opt/platen/runtime/LICENSES.chromium.html.',
    '',
    'Files: *',
    `Copyright: ${holder}`,
    'License: Expat',
    ...text,
  ].join('\n')}\n`;
}
