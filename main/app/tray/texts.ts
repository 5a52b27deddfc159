/** The texts of the tray and its dialogs, in English and German. */

export interface TrayTexts {
  readonly ready: string;
  readonly busy: (working: number, waiting: number) => string;
  readonly paused: string;
  readonly unavailable: (why: string | undefined) => string;
  readonly stopping: string;
  readonly open: string;
  readonly pause: string;
  readonly resume: string;
  readonly copyBaseUrl: string;
  readonly startAtLogin: string;
  readonly logs: string;
  readonly selfTest: string;
  readonly about: string;
  readonly quit: string;
  readonly quitting: (jobs: number) => string;
  /** Titles of the desktop's dialogs. */
  readonly chooseFile: string;
  readonly chooseFolder: string;
  readonly save: string;
}

const english: TrayTexts = {
  ready: 'Ready',
  busy: (working, waiting) =>
    `Converting ${working} ${working === 1 ? 'document' : 'documents'}${waiting === 0 ? '' : `, ${waiting} waiting`}`,
  paused: 'Paused: new jobs are refused',
  unavailable: (why) => (why === undefined ? 'Cannot accept jobs' : `Cannot accept jobs: ${why}`),
  stopping: 'Stopping',
  open: 'Open Platen',
  pause: 'Pause',
  resume: 'Resume',
  copyBaseUrl: 'Copy base URL',
  startAtLogin: 'Start at login',
  logs: 'Logs folder',
  selfTest: 'Self-test…',
  about: 'About Platen',
  quit: 'Quit',
  quitting: (jobs) =>
    jobs === 0 ? 'Quitting…' : `Quitting when ${jobs} ${jobs === 1 ? 'job is' : 'jobs are'} done`,
  chooseFile: 'Choose a file to convert',
  chooseFolder: 'Choose a folder to convert',
  save: 'Save the output',
};

const german: TrayTexts = {
  ready: 'Bereit',
  busy: (working, waiting) =>
    `${working} ${working === 1 ? 'Dokument wird' : 'Dokumente werden'} umgewandelt${waiting === 0 ? '' : `, ${waiting} ${waiting === 1 ? 'wartet' : 'warten'}`}`,
  paused: 'Angehalten: keine neuen Aufträge',
  unavailable: (why) => (why === undefined ? 'Keine Aufträge möglich' : `Keine Aufträge möglich: ${why}`),
  stopping: 'Wird beendet',
  open: 'Platen öffnen',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  copyBaseUrl: 'Basis-URL kopieren',
  startAtLogin: 'Bei der Anmeldung starten',
  logs: 'Protokollordner',
  selfTest: 'Selbsttest …',
  about: 'Über Platen',
  quit: 'Beenden',
  quitting: (jobs) =>
    jobs === 0 ? 'Wird beendet …' : `Endet nach ${jobs} ${jobs === 1 ? 'Auftrag' : 'Aufträgen'}`,
  chooseFile: 'Datei zum Umwandeln wählen',
  chooseFolder: 'Ordner zum Umwandeln wählen',
  save: 'Ausgabe speichern',
};

/** Returns the texts in the user's first supported language. `languages` are BCP 47 tags, preferred first. */
export function textsFor(languages: readonly string[]): TrayTexts {
  const primary = languages.map((tag) => tag.toLowerCase().split('-')[0]);
  const supported = primary.find((language) => language === 'de' || language === 'en');
  return supported === 'de' ? german : english;
}
