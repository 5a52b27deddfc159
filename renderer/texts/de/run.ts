/** Läufe. */
import type { run as english } from '../en/run.ts';

export const run: Readonly<Record<keyof typeof english, string>> = {
  'run.convert': 'Umwandeln',
  'run.cancel': 'Abbrechen',
  'run.live': 'Live',
  'run.split': 'Breite der beiden Seiten',
  'run.sides.call': 'Der Aufruf',
  'run.sides.result': 'Das Ergebnis',
  'run.tab.input': 'Eingabe',
  'run.tab.options': 'Optionen',
  'run.tab.code': 'Code',
  'run.tab.result': 'Ergebnis',
  'run.tab.explain': 'Erklärung',
};
