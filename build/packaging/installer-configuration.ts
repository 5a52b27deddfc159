/** Generates the electron-builder configuration for all its packages. */
import type { Fuses } from './fuses.ts';

export interface InstallerFacts {
  readonly electronVersion: string;
  /** The folder of Electron; undefined: electron-builder downloads one. */
  readonly electronDist?: string | undefined;
  /** Whether an Apple certificate, and the credentials for notarisation, are available. */
  readonly signs: boolean;
  readonly notarizes: boolean;
  readonly fuses: Fuses;
  readonly places: Places;
}

/** Absolute paths. */
export interface Places {
  /** The folders of the stage (application.mjs). */
  readonly app: string;
  readonly modules: string;
  readonly icons: string;
  /** The folder build/packaging. */
  readonly own: string;
  /** The folder of text files to ship next to the program. */
  readonly papers: string;
  readonly output: string;
}

/** Windows identifies an installed Platen by these ids, so they must never change. */
const upgradeCode = 'E2C8E9B4-55D1-4A41-9F57-6C1B0C8B8A1D';
const guid = '7d0f7c0e-0c0b-5d43-8f3a-3f5a2f6f6f21';

/** Keys and values follow electron-builder's schema; a test checks them. */
export function installerConfiguration(facts: InstallerFacts) {
  const { places, electronDist } = facts;
  const hooks = `${places.own}/electron-builder/hooks.cjs`;
  return {
    appId: 'platen.service',
    productName: 'Platen',
    copyright: 'The Platen maintainers',
    artifactName: '${name}-${version}-${os}-${arch}.${ext}',
    directories: { app: places.app, output: places.output, buildResources: places.icons },
    // Two file sets, because electron-builder ignores a folder named node_modules.
    files: ['**/*', { from: places.modules, to: 'node_modules', filter: ['**/*'] }],
    asar: true,
    asarUnpack: ['**/*.{node,so,dylib,dll}'],
    electronVersion: facts.electronVersion,
    ...(electronDist !== undefined && { electronDist }),
    electronFuses: facts.fuses,
    beforeBuild: hooks,
    afterExtract: hooks,
    // There is no updater.
    publish: null,
    ...windows(places),
    ...macos(facts),
    ...linux(places),
  };
}

function windows({ icons, own: packaging, papers }: Places) {
  const shortcuts = { createDesktopShortcut: false, createStartMenuShortcut: true, shortcutName: 'Platen' };
  return {
    win: {
      icon: `${icons}/platen.ico`,
      extraFiles: [
        { from: `${packaging}/files/platen.cmd`, to: 'bin/platen.cmd' },
        { from: papers, to: '.' },
      ],
    },
    // Asks for the user; silent installation: /S, with /allusers or /currentuser, and /D=folder last.
    nsis: {
      oneClick: false,
      perMachine: false,
      allowElevation: true,
      allowToChangeInstallationDirectory: true,
      deleteAppDataOnUninstall: false,
      differentialPackage: false,
      artifactName: '${name}-${version}-setup-${arch}.${ext}',
      guid,
      ...shortcuts,
    },
    // For group policies: msiexec /i platen.msi /qn.
    msi: { oneClick: false, perMachine: true, runAfterFinish: false, upgradeCode, ...shortcuts },
  };
}

function macos({ places, signs, notarizes }: InstallerFacts) {
  const entitlements = `${places.own}/macos/entitlements${signs ? '' : '-without-certificate'}.plist`;
  return {
    mac: {
      icon: `${places.icons}/platen.icns`,
      category: 'public.app-category.business',
      minimumSystemVersion: '12.0',
      hardenedRuntime: true,
      gatekeeperAssess: false,
      entitlements,
      entitlementsInherit: entitlements,
      notarize: notarizes,
      // Apple silicon only runs signed code, so an ad-hoc signature is the minimum.
      ...(!signs && { identity: '-' }),
      // A menu bar icon without a Dock icon; the Dock icon appears while a window is open.
      extendInfo: { LSUIElement: true },
      extraFiles: [
        { from: `${places.own}/files/platen-macos`, to: 'Resources/bin/platen' },
        { from: places.papers, to: 'Resources' },
      ],
    },
    dmg: { writeUpdateInfo: false, title: 'Platen ${version}' },
  };
}

/** Built from the folder of our own packaging step; its command line accepts the arguments of the AppImage. */
function linux({ icons }: Places) {
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

/** Signing is configured only by environment variables, with electron-builder's names. */
export function signingBy(environment: Readonly<Record<string, string | undefined>>) {
  const has = (...names: string[]) => names.every((name) => (environment[name] ?? '') !== '');
  const signs = has('CSC_LINK') || has('CSC_NAME');
  const credentials =
    has('APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER') ||
    has('APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID') ||
    has('APPLE_KEYCHAIN', 'APPLE_KEYCHAIN_PROFILE');
  return { signs, notarizes: signs && credentials };
}
