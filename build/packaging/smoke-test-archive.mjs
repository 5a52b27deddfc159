/** A smoke test of the .tar.gz archive: unpacks it into a temporary folder, and runs the application as an unprivileged user. */

import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { extract } from 'tar';
import { onExit } from '../setup/on-exit.mjs';
import { openDisplay } from '../testing/display.mjs';
import { smokeTest } from './smoke-test.mjs';

/**
 * The ids of Debian's unprivileged user `nobody`; empty unless this process runs as root, because only root can change the user.
 */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** @param {string} file the archive @throws {BuildProblem} if the application does not work */
export async function smokeTestArchive(file) {
  // The path contains a space, as paths on users' machines may.
  const folder = mkdtempSync(path.join(os.tmpdir(), 'platen unpacked '));
  const display = await openDisplay();
  const cleanUp = () => {
    display.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const removeHook = onExit(cleanUp);
  try {
    chmodSync(folder, 0o755);
    await extract({ file, cwd: folder });
    const [name = ''] = readdirSync(folder);
    await smokeTest(path.join(folder, name), { ...nobody, env: { DISPLAY: display.env.DISPLAY } });
  } finally {
    cleanUp();
    removeHook();
  }
}
