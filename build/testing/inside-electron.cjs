/** Owns the start of the engine suite inside Electron: loads the tests before it is ready, runs them after. */

const { app } = require('electron');
const { before } = require('node:test');

/** @param {(() => void)[]} loads one per test file; schemes may be registered while they load */
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
