/**
 * The main script of the packaged executable: runs the service if the launcher started this process, otherwise starts the launcher.
 */

const { spawn } = require('node:child_process');
const path = require('node:path');
const { app } = require('electron');

if (process.connected) require(path.join(__dirname, '.build', 'service.cjs'));
// On Windows, Platen's words follow `--` (main/launch/launcher-command.ts).
else launch(process.argv.slice(process.argv[1] === '--' ? 2 : 1));

/**
 * Starts the launcher. If Platen is already running, the launcher shows its window (main/cli/serve.ts).
 * @param {string[]} words the arguments for the launcher; if the first word is --wait, this process waits until the launcher ends.
 * Without --wait, no one sees the output, so that the launcher shows a dialog if the start fails (main/cli/desktop.ts).
 */
function launch(words) {
  const waits = words[0] === '--wait';
  const [command = 'desktop', ...flags] = waits ? words.slice(1) : words;
  const parameters = [command === 'serve' && !waits ? 'desktop' : command, ...flags];
  const launcher = spawn(process.execPath, [path.join(__dirname, 'launcher.cjs'), ...parameters], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    detached: !waits,
    stdio: waits ? 'inherit' : 'ignore',
    windowsHide: true,
  });
  launcher.on('error', () => app.exit(1));
  if (waits) {
    launcher.on('exit', (code) => app.exit(code ?? 1));
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => launcher.kill(signal));
  } else {
    launcher.on('spawn', () => app.exit(0));
    launcher.unref();
  }
}
