/**
 * Reconstructs the command line that started this launcher, so that it can be run again, and names the file that runs it at login.
 */
import { homedir } from 'node:os';
import { isAbsolute, join, posix, win32 } from 'node:path';

/**
 * Returns the words of the command line that starts Platen at login: the absolute path of the program, and its parameters. `serve`
 * becomes `desktop`, which reports a failed start in a dialog.
 */
export function launcherCommand(): string[] {
  const [command = 'desktop', ...flags] = process.argv.slice(2);
  const parameters = [command === 'serve' ? 'desktop' : command, ...flags];
  const [program = '', ...programFlags] = launcherProgram();
  // No process waits for a start at login, so --wait is removed (build/packaging/files/start.cjs).
  return [program, ...programFlags.filter((word) => word !== waitFlag), ...parameters];
}

export const launchAgentLabel = 'platen.service';

/**
 * Returns the file of this user's login entry: a launch agent on macOS, an autostart entry elsewhere. Windows keeps it in the
 * registry.
 */
export function loginItemPath(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'LaunchAgents', `${launchAgentLabel}.plist`);
  const configHome = process.env.XDG_CONFIG_HOME ?? '';
  const config = isAbsolute(configHome) ? configHome : join(homedir(), '.config');
  return join(config, 'autostart', 'platen.desktop');
}

/** Returns the command line without parameters: in a clone, the paths of Node and of the script. */
export function launcherProgram(): string[] {
  // The packaged launcher runs in Electron as plain Node.
  if ('electron' in process.versions) return packagedProgram(process.execPath, process.platform, process.env);
  return [process.execPath, process.argv[1] ?? ''];
}

/**
 * Returns the command line without parameters, as a person types it. On Windows this is the batch file of the installation, because
 * cmd.exe does not wait for a program with a window.
 */
export function shellProgram(): string[] {
  return 'electron' in process.versions && process.platform === 'win32'
    ? [windowsBatchFile(process.execPath)]
    : launcherProgram();
}

/** Returns the path of the batch file. `runtime` is the path of the packaged Platen.exe. */
export function windowsBatchFile(runtime: string): string {
  return win32.join(win32.dirname(runtime), 'bin', 'platen.cmd');
}

/** This flag makes the executable wait for the process it starts and exit with the same exit code. */
const waitFlag = '--wait';

/**
 * Precedes the arguments of Platen.exe. On Windows, Electron ends silently with exit code -1 if an argument follows one that looks
 * like a URL, such as `https://a` or `boss:key`, and checks only the arguments before this word (electron,
 * shell/app/command_line_args.cc). Node mode, which platen.cmd uses, has no such check.
 */
export const endOfElectronArguments = '--';

/**
 * Returns the command line of a packaged application (build/packaging) without parameters. `runtime` is the path of its Electron
 * executable.
 */
export function packagedProgram(
  runtime: string,
  platform: NodeJS.Platform,
  { APPIMAGE, APPDIR }: Readonly<NodeJS.ProcessEnv>,
): string[] {
  // Node refuses to start batch files (CVE-2024-27980), and a batch file without a console opens a black window.
  if (platform === 'win32') return [win32.normalize(runtime), endOfElectronArguments, waitFlag];
  const applicationFolder = posix.dirname(posix.dirname(runtime));
  if (platform === 'darwin') return [posix.join(applicationFolder, 'Resources', 'bin', 'platen')];
  // An AppImage is mounted at another path at each start. The variables are also set if a different AppImage started this program.
  if (APPIMAGE !== undefined && APPDIR !== undefined && runtime.startsWith(`${APPDIR}/`)) return [APPIMAGE];
  return [posix.join(applicationFolder, 'platen')];
}

/**
 * Returns whether macOS runs the application from a random read-only path ("app translocation"). macOS does this with a downloaded
 * application until the user moves it, and the path exists only while the application runs.
 */
export function isTranslocated(program: string): boolean {
  return program.includes('/AppTranslocation/');
}

/** Quotes a word for Windows command lines. Backslashes before a quote are doubled (CommandLineToArgvW). */
export function quoteForWindows(word: string): string {
  return `"${word.replace(/(?<!\\)(\\+)(?="|$)/g, '$1$1').replaceAll('"', '\\"')}"`;
}
