/** Where the data folder is when nobody says so, the platform's per-user application data folder; and where debug logs and fonts lie in it. */
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

/** Of an installation; the service fills it, and the command line clears it of what belongs to nobody any more. */
export function debugLogsFolder(dataFolder: string): string {
  return join(dataFolder, 'debug-logs');
}

/** Of an installation: the font files an operator puts into `fonts` are known to pages, on Linux; `kept` is what that takes. */
export function fontFolders(dataFolder: string): { readonly fonts: string; readonly kept: string } {
  return { fonts: join(dataFolder, 'fonts'), kept: join(dataFolder, 'fontconfig') };
}

/** The XDG specification has relative paths ignored, and empty ones are as if they were not set. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
