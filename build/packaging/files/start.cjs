/** Owns the start of the application's own executable: by the launcher as its service, or by a click or a task, as the launcher. */

const { spawn } = require('node:child_process');
const path = require('node:path');
const { app } = require('electron');

if (process.connected) require(path.join(__dirname, '.build', 'service.cjs'));
else launch(process.argv.slice(1));

/** Whoever clicks again is shown the one that runs (main/cli/serve.ts). @param {string[]} words behind --wait, if it is to be waited for */
function launch(words) {
  const waits = words[0] === '--wait';
  const parameters = waits ? words.slice(1) : words;
  const launcher = spawn(
    process.execPath,
    [path.join(__dirname, 'launcher.cjs'), ...(parameters.length > 0 ? parameters : ['serve'])],
    {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      detached: !waits,
      stdio: waits ? 'inherit' : 'ignore',
      windowsHide: true,
    },
  );
  launcher.on('error', () => app.exit(1));
  if (waits) {
    launcher.on('exit', (code) => app.exit(code ?? 1));
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => launcher.kill(signal));
  } else {
    launcher.on('spawn', () => app.exit(0));
    launcher.unref();
  }
}
