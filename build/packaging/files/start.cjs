/** Owns the start of the application's own executable: by the launcher as its service, or by a person's click. */

const { spawn } = require('node:child_process');
const path = require('node:path');
const { app } = require('electron');

if (process.connected) {
  require(path.join(__dirname, '.build', 'service.cjs'));
} else {
  // Whoever clicks again is shown the one that runs (main/cli/serve.ts).
  const words = process.argv.slice(1);
  const launcher = spawn(
    process.execPath,
    [path.join(__dirname, 'launcher.cjs'), ...(words.length > 0 ? words : ['serve'])],
    {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    },
  );
  launcher.on('spawn', () => app.exit(0)).on('error', () => app.exit(1));
  launcher.unref();
}
