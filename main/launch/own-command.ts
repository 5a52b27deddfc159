/** The command that has started this launcher, so that it can be given again. */
import { dirname, join } from 'node:path';

/** Its words: a program by its whole path, and its parameters. */
export function ownCommand(): string[] {
  const [script = '', ...parameters] = process.argv.slice(1);
  // Packaged, we run in Electron as plain Node.
  if ('electron' in process.versions)
    return [packagedCommand(process.execPath, process.platform, process.env), ...parameters];
  return [process.execPath, script, ...parameters];
}

/** What a person starts (build/packaging). `runtime` is the executable of the Electron in it. */
export function packagedCommand(
  runtime: string,
  platform: NodeJS.Platform,
  { APPIMAGE, APPDIR }: Readonly<NodeJS.ProcessEnv>,
): string {
  // The executable itself hands its parameters to a launcher; a batch file would show a black window.
  if (platform === 'win32') return runtime;
  const above = dirname(dirname(runtime));
  if (platform === 'darwin') return join(above, 'Resources', 'bin', 'platen');
  // What an AppImage holds lies at another place each time. Another one that started us has set these, too.
  if (APPIMAGE !== undefined && APPDIR !== undefined && runtime.startsWith(`${APPDIR}/`)) return APPIMAGE;
  return join(above, 'platen');
}
