/**
 * The default data folder, in the platform's per-user application data folder, and the subfolders for debug logs
 * and fonts.
 */
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

/** The service writes debug logs here; `platen account` removes those of deleted accounts. */
export function debugLogsFolder(dataFolder: string): string {
  return join(dataFolder, 'debug-logs');
}

/**
 * `fonts`: font files that operators install for pages (Linux only). `fontconfig`: the generated configuration and
 * its cache.
 */
export function fontFolders(dataFolder: string): { readonly fonts: string; readonly fontconfig: string } {
  return { fonts: join(dataFolder, 'fonts'), fontconfig: join(dataFolder, 'fontconfig') };
}

/** The XDG specification says to ignore relative paths, and to treat empty variables as unset. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
