/** Selects the Electron fuses of the packaged application, with electron-builder's names. */

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
 * RunAsNode stays enabled, because the command line and the encoder run in Node mode. A separate Node could be abused in the same way
 * and would be one more component to update (docs/decisions/0022-packaging.md). Electron does not check the archive's integrity on Linux.
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
