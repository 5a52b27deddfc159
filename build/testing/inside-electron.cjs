/** The main script of the engine suite in Electron: loads the tests before Electron is ready, and runs them when it is ready. */

const { app } = require('electron');
const { before } = require('node:test');

/** @param {(() => void)[]} loads one function per test file, which loads the file; it may register custom schemes */
exports.runInside = function runInside(loads) {
  // Without a listener Electron quits when a test closes its last window.
  app.on('window-all-closed', () => {});
  before(() => app.whenReady());
  try {
    for (const load of loads) load();
  } catch (error) {
    process.stderr.write(`A test file cannot be loaded: ${error.stack}\n`);
    app.exit(1);
  }
};
