/**
 * Signs a file for Windows with the command in PLATEN_SIGN_COMMAND, such as a tool of a cloud service or a hardware module.
 * electron-builder calls this for each program and package (win.signtoolOptions.sign).
 */

const { spawnSync } = require('node:child_process');

/**
 * Runs the command with the path of the file as its last argument.
 * @param {{ path: string }} file @throws {Error} with the output of the command if it fails, which ends the build of the package
 */
exports.sign = function sign({ path }) {
  const command = process.env.PLATEN_SIGN_COMMAND ?? '';
  // The command may contain arguments, so the shell splits it.
  const { status, signal, stdout, stderr } = spawnSync(`${command} "${path}"`, {
    shell: true,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status === 0) return;
  const end = status === null ? `was ended by ${signal}` : `ended with exit code ${status}`;
  throw new Error(`the command in PLATEN_SIGN_COMMAND ${end} for ${path}: ${`${stdout}${stderr}`.trim()}`);
};
