/** Owns what electron-builder asks of us while it packs. */

const { rmSync } = require('node:fs');
const path = require('node:path');

/** Packages were chosen by the stage; else it would take in all that the project's package.json names. */
exports.beforeBuild = () => false;

/** Electron's own application, for who has none. @param {{ appOutDir: string, electronPlatformName: string }} context */
exports.afterExtract = ({ appOutDir, electronPlatformName }) => {
  const resources = electronPlatformName === 'darwin' ? 'Electron.app/Contents/Resources' : 'resources';
  rmSync(path.join(appOutDir, resources, 'default_app.asar'), { force: true });
};
