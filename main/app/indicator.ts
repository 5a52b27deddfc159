/** Whether the desktop shows icons in a tray. On Linux many have no place for them, and nobody would see ours. */
import { execFile } from 'node:child_process';

const watcher = 'org.kde.StatusNotifierWatcher';

/** Programs that ask the session bus whether the one who shows icons is there; whichever there is. */
const questions: readonly (readonly [program: string, ...parameters: string[]])[] = [
  [
    ...(['gdbus', 'call', '--session', '--dest', 'org.freedesktop.DBus'] as const),
    ...['--object-path', '/org/freedesktop/DBus', '--method', 'org.freedesktop.DBus.NameHasOwner', watcher],
  ],
  [
    ...(['dbus-send', '--session', '--print-reply=literal', '--dest=org.freedesktop.DBus'] as const),
    ...['/org/freedesktop/DBus', 'org.freedesktop.DBus.NameHasOwner', `string:${watcher}`],
  ],
];

/** Milliseconds; a bus that does not answer shows nothing. */
const patience = 3000;

/** False where nobody can be asked. */
export async function showsIcons(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  for (const [program, ...parameters] of questions) {
    const said = await output(program, parameters);
    if (said !== undefined) return said.includes('true');
  }
  return false;
}

/** Undefined when the program is missing or fails. */
function output(program: string, parameters: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, parameters, { timeout: patience }, (problem, said) => {
      resolve(problem === null ? said : undefined);
    });
  });
}
