/** Generates the configuration of electron-builder for all platforms and package formats. */
import type { Fuses } from './fuses.ts';

export interface InstallerFacts {
  readonly electronVersion: string;
  /** The folder of Electron; undefined: electron-builder downloads Electron. */
  readonly electronDist?: string | undefined;
  /** Whether a code signing certificate is available. */
  readonly signs: boolean;
  /** Whether a command signs programs and packages for Windows (PLATEN_SIGN_COMMAND). */
  readonly hasSignCommand: boolean;
  /** Whether a certificate and Apple's credentials for notarisation are available. */
  readonly notarizes: boolean;
  readonly fuses: Fuses;
  readonly paths: PackagingPaths;
}

/** Absolute paths. */
export interface PackagingPaths {
  /** The folders `app` and `modules` that application.mjs fills. */
  readonly app: string;
  readonly modules: string;
  readonly icons: string;
  /** The folder build/packaging. */
  readonly packaging: string;
  /** The folder of licences and documentation to ship next to the program. */
  readonly documents: string;
  readonly output: string;
}

/** Windows identifies an installation of Platen by these ids, so they must never change. */
const upgradeCode = 'E2C8E9B4-55D1-4A41-9F57-6C1B0C8B8A1D';
const guid = '7d0f7c0e-0c0b-5d43-8f3a-3f5a2f6f6f21';

/** Returns the configuration. A test checks it against electron-builder's schema. */
export function installerConfiguration(facts: InstallerFacts) {
  const { paths, electronDist } = facts;
  const hooks = `${paths.packaging}/electron-builder/hooks.cjs`;
  return {
    appId: 'platen.service',
    productName: 'Platen',
    copyright: 'The Platen maintainers',
    artifactName: '${name}-${version}-${os}-${arch}.${ext}',
    directories: { app: paths.app, output: paths.output, buildResources: paths.icons },
    // Two file sets, because electron-builder ignores a folder named node_modules.
    files: ['**/*', { from: paths.modules, to: 'node_modules', filter: ['**/*'] }],
    asar: true,
    asarUnpack: ['**/*.{node,so,dylib,dll}'],
    electronVersion: facts.electronVersion,
    ...(electronDist !== undefined && { electronDist }),
    electronFuses: facts.fuses,
    beforeBuild: hooks,
    afterExtract: hooks,
    msiProjectCreated: `${paths.packaging}/windows/msi-actions.cjs`,
    // Platen does not update itself.
    publish: null,
    ...windows(facts),
    ...macos(facts),
    ...linux(paths),
  };
}

function windows({ paths: { icons, packaging, documents }, hasSignCommand }: InstallerFacts) {
  const shortcuts = { createDesktopShortcut: false, createStartMenuShortcut: true, shortcutName: 'Platen' };
  return {
    win: {
      icon: `${icons}/platen.ico`,
      // By default, electron-builder signs twice, also with SHA-1.
      signtoolOptions: {
        signingHashAlgorithms: ['sha256'],
        ...(hasSignCommand && { sign: `${packaging}/windows/sign.cjs` }),
      },
      extraFiles: [
        { from: `${packaging}/files/platen.cmd`, to: 'bin/platen.cmd' },
        { from: documents, to: '.' },
      ],
    },
    // The installer asks whether to install for all users. docs/install.md lists the options of a silent installation.
    nsis: {
      oneClick: false,
      perMachine: false,
      allowElevation: true,
      allowToChangeInstallationDirectory: true,
      deleteAppDataOnUninstall: false,
      differentialPackage: false,
      artifactName: '${name}-${version}-setup-${arch}.${ext}',
      guid,
      include: `${packaging}/windows/installer.nsh`,
      ...shortcuts,
    },
    // For group policies: msiexec /i platen.msi /qn PLATEN_SERVICE=1.
    msi: { oneClick: false, perMachine: true, runAfterFinish: false, upgradeCode, ...shortcuts },
  };
}

/**
 * macOS 15 and later show this text when they ask the user to allow access to the local network. Without the text, they deny access
 * without asking.
 */
const localNetworkUsage =
  'Platen converts pages that you name, which may be on servers of your own network, and their images and styles.';

function macos({ paths, signs, notarizes }: InstallerFacts) {
  const entitlements = `${paths.packaging}/macos/entitlements${signs ? '' : '-without-certificate'}.plist`;
  return {
    mac: {
      icon: `${paths.icons}/platen.icns`,
      category: 'public.app-category.business',
      // Electron 44 dropped macOS 12.
      minimumSystemVersion: '13.0',
      hardenedRuntime: true,
      gatekeeperAssess: false,
      entitlements,
      entitlementsInherit: entitlements,
      notarize: notarizes,
      // Apple silicon only runs signed code, so an ad-hoc signature is the minimum.
      ...(!signs && { identity: '-' }),
      // A menu bar icon without a Dock icon; the Dock icon appears while a window is open.
      extendInfo: { LSUIElement: true, NSLocalNetworkUsageDescription: localNetworkUsage },
      extraFiles: [
        { from: `${paths.packaging}/files/platen-macos`, to: 'Resources/bin/platen' },
        { from: paths.documents, to: 'Resources' },
      ],
    },
    dmg: { writeUpdateInfo: false, title: 'Platen ${version}' },
  };
}

/** Returns the options for the AppImage, which contains the folder that linux.mjs builds (--prepackaged). */
function linux({ icons }: PackagingPaths) {
  return {
    linux: {
      executableName: 'platen',
      icon: `${icons}/platen-512.png`,
      category: 'Office',
      synopsis: 'Turns web pages into PDF documents and images',
    },
    toolsets: { appimage: '1.0.3' },
  };
}

/** Returns whether electron-builder can sign and notarise, according to its environment variables. */
export function signingBy(environment: Readonly<Record<string, string | undefined>>) {
  const has = (...names: string[]) => names.every((name) => (environment[name] ?? '') !== '');
  const signs = has('CSC_LINK') || has('CSC_NAME');
  const credentials =
    has('APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER') ||
    has('APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID') ||
    has('APPLE_KEYCHAIN', 'APPLE_KEYCHAIN_PROFILE');
  return { signs, notarizes: signs && credentials, hasSignCommand: has('PLATEN_SIGN_COMMAND') };
}
