/**
 * Finds the Electron executable that runs the service: the one chosen at set-up, or, in the packaged application, the current one.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface ElectronRuntime {
  /** Path of Electron's executable. */
  readonly electron: string;
  /** The application folder, which contains package.json. */
  readonly application: string;
}

/** Returns the paths. @throws Error with a one-sentence message if set-up has not been run */
export function locateRuntime(): ElectronRuntime {
  const application = dirname(__dirname);
  if ('electron' in process.versions) return { electron: process.execPath, application };
  try {
    const chosen: unknown = JSON.parse(readFileSync(join(application, '.build', 'runtime.json'), 'utf8'));
    if (typeof chosen === 'object' && chosen !== null && 'electron' in chosen)
      return { electron: String(chosen.electron), application };
  } catch {
    // Reported below.
  }
  throw new Error('the Electron runtime is not set up; run: node build/bootstrap.mjs');
}
