/** Reconstructs the command that started this launcher, so that it can be repeated. */
import { posix, win32 } from 'node:path';

/**
 * Returns the command's words: the absolute path of the program, and its parameters. Used to start Platen at login.
 */
export function launcherCommand(): string[] {
  const parameters = process.argv.slice(2);
  const [program = '', ...flags] = launcherProgram();
  // No process waits for a start at login, so the flag is removed (build/packaging/files/start.cjs).
  return [program, ...flags.filter((word) => word !== waitFlag), ...parameters];
}

/** Returns the command without its parameters: in a clone, the paths of Node and the script. */
export function launcherProgram(): string[] {
  // The packaged launcher runs in Electron as plain Node.
  if ('electron' in process.versions) return packagedProgram(process.execPath, process.platform, process.env);
  return [process.execPath, process.argv[1] ?? ''];
}

/**
 * Returns the command as a person types it, without its parameters. On Windows this is the batch file of the installation, because
 * cmd.exe does not wait for a program with a window.
 */
export function shellProgram(): string[] {
  return 'electron' in process.versions && process.platform === 'win32'
    ? [windowsBatchFile(process.execPath)]
    : launcherProgram();
}

/** `runtime` is the path of the packaged Platen.exe. */
export function windowsBatchFile(runtime: string): string {
  return win32.join(win32.dirname(runtime), 'bin', 'platen.cmd');
}

/** Makes the executable wait for the process it starts and exit with its exit code. */
const waitFlag = '--wait';

/**
 * Returns the command line of a packaged application (build/packaging). `runtime` is the path of its Electron
 * executable.
 */
export function packagedProgram(
  runtime: string,
  platform: NodeJS.Platform,
  { APPIMAGE, APPDIR }: Readonly<NodeJS.ProcessEnv>,
): string[] {
  // Node does not start batch files (CVE-2024-27980), and without a console they open a black window.
  if (platform === 'win32') return [win32.normalize(runtime), waitFlag];
  const applicationFolder = posix.dirname(posix.dirname(runtime));
  if (platform === 'darwin') return [posix.join(applicationFolder, 'Resources', 'bin', 'platen')];
  // An AppImage is mounted at another path each time. A different AppImage that started this program sets these
  // variables too.
  if (APPIMAGE !== undefined && APPDIR !== undefined && runtime.startsWith(`${APPDIR}/`)) return [APPIMAGE];
  return [posix.join(applicationFolder, 'platen')];
}

/** Quotes a word for Windows command lines. Backslashes before a quote are doubled (CommandLineToArgvW). */
export function quoteForWindows(word: string): string {
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
}
