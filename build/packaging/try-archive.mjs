/** Tests the archive: unpacks it elsewhere and runs it as an unprivileged user with a display. */

import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { extract } from 'tar';
import { whenEnding } from '../setup/ending.mjs';
import { openDisplay } from '../testing/display.mjs';
import { tryOut } from './try-out.mjs';

/** Debian's unprivileged user `nobody`. Only root can switch the user. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** @param {string} file @throws {Problem} */
export async function tryArchive(file) {
  // The path contains a blank, as on users' machines.
  const folder = mkdtempSync(path.join(os.tmpdir(), 'platen unpacked '));
  const display = await openDisplay();
  const tidy = () => {
    display.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const forget = whenEnding(tidy);
  try {
    chmodSync(folder, 0o755);
    await extract({ file, cwd: folder });
    const [name = ''] = readdirSync(folder);
    await tryOut(path.join(folder, name), { ...NOBODY, env: { DISPLAY: display.env.DISPLAY } });
  } finally {
    tidy();
    forget();
  }
}
