/** Owns the proof that the archive is whole: unpacked where nothing is, it works for an ordinary user at a display. */

import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { extract } from 'tar';
import { whenEnding } from '../setup/ending.mjs';
import { openDisplay } from '../testing/display.mjs';
import { tryOut } from './try-out.mjs';

/** Debian's `nobody`, who may nothing. Only root can become another. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** @param {string} file @throws {Problem} */
export async function tryArchive(file) {
  // With a blank, as people's folders have it.
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
