/** The command that has started this launcher, so that it can be given again. */
import { dirname, join } from 'node:path';

/** Its words: a program by its whole path, and its parameters. */
export function ownCommand(): string[] {
  const [script = '', ...parameters] = process.argv.slice(1);
  // Packaged, we run in Electron as plain Node; what a person starts lies beside it (build/packaging/files/platen).
  if ('electron' in process.versions)
    return [join(dirname(dirname(process.execPath)), 'platen'), ...parameters];
  return [process.execPath, script, ...parameters];
}
