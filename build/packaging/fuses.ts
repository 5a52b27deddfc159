/** The Electron fuses of the packaged application, with the names that electron-builder uses. */

export interface Fuses {
  readonly runAsNode: boolean;
  readonly enableCookieEncryption: boolean;
  readonly enableNodeOptionsEnvironmentVariable: boolean;
  readonly enableNodeCliInspectArguments: boolean;
  readonly enableEmbeddedAsarIntegrityValidation: boolean;
  readonly onlyLoadAppFromAsar: boolean;
  readonly loadBrowserProcessSpecificV8Snapshot: boolean;
  readonly grantFileProtocolExtraPrivileges: boolean;
}

/**
 * Returns the state of each fuse. RunAsNode stays enabled, because the command line and the image encoder run in Electron's Node
 * mode. A separate Node.js could be abused in the same way, and would be one more component to update
 * (docs/decisions/0022-packaging.md). Electron does not check the integrity of app.asar on Linux.
 */
export function fusesFor(platform: NodeJS.Platform): Fuses {
  return {
    runAsNode: true,
    enableCookieEncryption: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: platform !== 'linux',
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  };
}
