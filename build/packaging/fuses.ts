/** Owns which of Electron's doors are shut in what people install, in electron-builder's names. */

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
 * RunAsNode stays: the command line and the encoder are plain Node, and a Node beside it would open the same door and be one
 * more thing to keep up to date (docs/decisions/0022-packaging.md). The archive's integrity is not looked at on Linux.
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
