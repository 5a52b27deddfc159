/** The hooks that electron-builder calls while it packs. */

const { rmSync } = require('node:fs');
const path = require('node:path');

/** The stage contains the selected packages; otherwise electron-builder would add all dependencies of package.json. */
exports.beforeBuild = () => false;

/** Removes Electron's default app. @param {{ appOutDir: string, electronPlatformName: string }} context */
exports.afterExtract = ({ appOutDir, electronPlatformName }) => {
  const resources = electronPlatformName === 'darwin' ? 'Electron.app/Contents/Resources' : 'resources';
  rmSync(path.join(appOutDir, resources, 'default_app.asar'), { force: true });
};
