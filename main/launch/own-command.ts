/** The command that has started this launcher, so that it can be given again. */
import { posix, win32 } from 'node:path';

/** Its words, for a person's login: a program by its whole path, and its parameters. */
export function ownCommand(): string[] {
  const parameters = process.argv.slice(2);
  const [program = '', ...words] = ownProgram();
  // Nobody waits for it, and no process need stay for that (build/packaging/files/start.cjs).
  return [program, ...words.filter((word) => word !== waiting), ...parameters];
}

/** The same without the parameters: in a clone two words, Node and our script. */
export function ownProgram(): string[] {
  // Packaged, we run in Electron as plain Node.
  if ('electron' in process.versions) return packagedProgram(process.execPath, process.platform, process.env);
  return [process.execPath, process.argv[1] ?? ''];
}

/** Has the executable stay until what it starts has ended, and end as that. */
const waiting = '--wait';

/** What can be started as our command line (build/packaging). `runtime` is the executable of the Electron in it. */
export function packagedProgram(
  runtime: string,
  platform: NodeJS.Platform,
  { APPIMAGE, APPDIR }: Readonly<NodeJS.ProcessEnv>,
): string[] {
  // Node starts no batch file (CVE-2024-27980), and who starts one without a console gets a black window.
  if (platform === 'win32') return [win32.normalize(runtime), waiting];
  const above = posix.dirname(posix.dirname(runtime));
  if (platform === 'darwin') return [posix.join(above, 'Resources', 'bin', 'platen')];
  // What an AppImage holds lies at another place each time. Another one that started us has set these, too.
  if (APPIMAGE !== undefined && APPDIR !== undefined && runtime.startsWith(`${APPDIR}/`)) return [APPIMAGE];
  return [posix.join(above, 'platen')];
}
