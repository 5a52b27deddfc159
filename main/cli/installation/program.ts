/** Finds the command line of an installation. */
import { existsSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { packagedProgram } from '../../launch/launcher-command.ts';
import { UsageProblem } from '../terminal.ts';

/** Programs of an installation, relative to its folder: of a clone, and of packages for Windows, macOS and Linux. */
const programs = [
  join('build', 'platen.mjs'),
  'Platen.exe',
  join('Contents', 'Resources', 'bin', 'platen'),
  join('Platen.app', 'Contents', 'Resources', 'bin', 'platen'),
  'platen',
];

/**
 * Returns the words that run an installation, without parameters.
 * @param path the folder of the installation, or its program
 * @throws UsageProblem if there is no installation
 */
export function programOf(path: string): readonly string[] {
  const absolute = resolve(path);
  const candidates = isFolder(absolute) ? programs.map((program) => join(absolute, program)) : [absolute];
  const program = candidates.find((candidate) => existsSync(candidate) && !isFolder(candidate));
  if (program === undefined)
    throw new UsageProblem(
      `${path} is not an installation of Platen: it must be the folder of a package, which contains platen, Platen.exe or Platen.app, or a clone of the repository.`,
    );
  if (/^\.[cm]?js$/.test(extname(program))) return [nodeProgram(), program];
  return extname(program).toLowerCase() === '.exe'
    ? packagedProgram(program, 'win32', process.env)
    : [program];
}

/** Returns the Node that runs this program. The packaged command line runs in Electron, which cannot run a clone. */
function nodeProgram(): string {
  return 'electron' in process.versions ? 'node' : process.execPath;
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
