/** The hooks that electron-builder calls while it packs. */

const { rmSync } = require('node:fs');
const path = require('node:path');

/** Returns false, so that electron-builder does not install dependencies. The files to package include the npm packages to ship. */
exports.beforeBuild = () => false;

/** Removes Electron's default app. @param {{ appOutDir: string, electronPlatformName: string }} context */
exports.afterExtract = ({ appOutDir, electronPlatformName }) => {
  const resources = electronPlatformName === 'darwin' ? 'Electron.app/Contents/Resources' : 'resources';
  rmSync(path.join(appOutDir, resources, 'default_app.asar'), { force: true });
};
