/** The command that has started this launcher, so that it can be given again. */
import { dirname, join } from 'node:path';

/** Its words: a program by its whole path, and its parameters. */
export function ownCommand(): string[] {
  return [...ownProgram(), ...process.argv.slice(2)];
}

/** The same without the parameters: in a clone two words, Node and our script. */
export function ownProgram(): string[] {
  // Packaged, we run in Electron as plain Node; what a person starts lies beside it (build/packaging/files/platen).
  if ('electron' in process.versions) return [join(dirname(dirname(process.execPath)), 'platen')];
  return [process.execPath, process.argv[1] ?? ''];
}
