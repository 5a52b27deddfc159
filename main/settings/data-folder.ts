/**
 * Defines the default data folder, in the platform's per-user application data folder, and its subfolders for debug logs, kept
 * requests and fonts.
 */
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

export function defaultDataFolder(): string {
  const home = homedir();
  if (process.platform === 'win32') {
    return join(absolute(process.env.LOCALAPPDATA) ?? join(home, 'AppData', 'Local'), 'Platen');
  }
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Platen');
  return join(absolute(process.env.XDG_DATA_HOME) ?? join(home, '.local', 'share'), 'platen');
}

/** Returns the folder for debug logs. The service writes them, and `platen account` deletes those of deleted accounts. */
export function debugLogsFolder(dataFolder: string): string {
  return join(dataFolder, 'debug-logs');
}

/** Returns the folder for the kept requests of an account (setting `keep-inputs`). Account names may not be valid file names. */
export function keptInputsFolder(dataFolder: string, account: string): string {
  const name = createHash('sha256').update(account).digest('hex').slice(0, 16);
  return join(dataFolder, 'kept-inputs', name);
}

/**
 * Returns two folders. `fonts` contains font files that operators install for pages (Linux only). `fontconfig` contains the
 * generated configuration and its cache.
 */
export function fontFolders(dataFolder: string): { readonly fonts: string; readonly fontconfig: string } {
  return { fonts: join(dataFolder, 'fonts'), fontconfig: join(dataFolder, 'fontconfig') };
}

/** Returns undefined for a relative or empty path: the XDG specification says to ignore both. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
