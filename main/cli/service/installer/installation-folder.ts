/** The folder of an installation: of the packaged application, or of a clone. */
import { isAbsolute, posix, resolve, win32 } from 'node:path';
import type { ParsedArguments } from '../../../fields/arguments.ts';
import { locateRuntime } from '../../../launch/runtime.ts';
import { UsageProblem } from '../../terminal.ts';

/**
 * Returns the folder in the flag `--installation`, by default that of this program.
 * @throws UsageProblem for a relative path
 */
export function installationFolder({ flags }: ParsedArguments): string {
  const given = flags.get('installation');
  if (given === undefined) return folderOfProgram(locateRuntime(), process.platform);
  if (!isAbsolute(given))
    throw new UsageProblem(`--installation: '${given}' is not an absolute path of a folder.`);
  return resolve(given);
}

interface ProgramPaths {
  readonly electron: string;
  readonly application: string;
}

/** Returns the folder that the package of this platform has installed, and in a clone the folder of its sources. */
export function folderOfProgram({ electron, application }: ProgramPaths, platform: NodeJS.Platform): string {
  if (!application.endsWith('.asar')) return application;
  // platen.cmd starts bin\..\Platen.exe. The paths of services and processes, with which the folder is compared, contain no `..`.
  if (platform === 'win32') return win32.dirname(win32.normalize(electron));
  // Linux: FOLDER/runtime/platen-service; macOS: Platen.app/Contents/MacOS/Platen.
  const levels = platform === 'darwin' ? ['..', '..', '..'] : ['..', '..'];
  return posix.join(electron, ...levels);
}

/** Returns whether the path is below the folder. On Windows, the case of letters does not matter. */
export function isInside(path: string, folder: string): boolean {
  const isWindows = /^([A-Za-z]:|\\\\)/.test(folder);
  const paths = isWindows ? win32 : posix;
  const below = paths.relative(folder, path);
  return below !== '' && below !== '..' && !below.startsWith(`..${paths.sep}`) && !paths.isAbsolute(below);
}
