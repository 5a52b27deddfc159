/** Whether the desktop shows icons in a tray. On Linux many have no place for them, and nobody would see ours. */
import { askProgram } from './ask-program.ts';

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

/** False where nobody can be asked. */
export async function showsIcons(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  for (const [program, ...parameters] of questions) {
    const said = await askProgram(program, parameters);
    if (said !== undefined) return said.includes('true');
  }
  return false;
}
