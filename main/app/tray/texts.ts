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
  /** The dialog of a failed start. */
  readonly startFailed: string;
  readonly logFile: (path: string) => string;
  readonly showLogFile: string;
  readonly close: string;
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
  startFailed: 'Platen could not start',
  logFile: (path) => `Log file: ${path}`,
  showLogFile: 'Show log file',
  close: 'Close',
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
  chooseFile: 'Datei zum Umwandeln auswählen',
  chooseFolder: 'Ordner zum Umwandeln auswählen',
  save: 'Ausgabe speichern',
  startFailed: 'Platen konnte nicht gestartet werden',
  logFile: (path) => `Protokolldatei: ${path}`,
  showLogFile: 'Protokolldatei anzeigen',
  close: 'Schließen',
};

/** The texts of the desktop client. */
export interface ClientTexts {
  readonly stopService: string;
  /** Ends the client, not the service. */
  readonly leave: string;
  readonly notRunning: string;
  readonly reconnects: string;
  readonly signIn: string;
  readonly signInTo: (url: string) => string;
  readonly refused: string;
  readonly userName: string;
  readonly key: string;
}

const englishClient: ClientTexts = {
  stopService: 'Stop the service',
  leave: 'Close (the service keeps running)',
  notRunning: 'The service is not running',
  reconnects:
    'Platen is installed as a service on this machine. This window connects when the service starts.',
  signIn: 'Sign in',
  signInTo: (url) => `Platen runs as a service at ${url}. An operator can give you a user name and a key.`,
  refused: 'The user name or the key is wrong.',
  userName: 'User name',
  key: 'Key',
};

const germanClient: ClientTexts = {
  stopService: 'Dienst beenden',
  leave: 'Schließen (der Dienst läuft weiter)',
  notRunning: 'Der Dienst läuft nicht',
  reconnects:
    'Platen ist auf diesem Rechner als Dienst installiert. Dieses Fenster verbindet sich, sobald der Dienst läuft.',
  signIn: 'Anmelden',
  signInTo: (url) =>
    `Platen läuft als Dienst unter ${url}. Einen Benutzernamen und einen Schlüssel erhalten Sie von einem Betreiber.`,
  refused: 'Der Benutzername oder der Schlüssel ist falsch.',
  userName: 'Benutzername',
  key: 'Schlüssel',
};

/** Returns the texts of the desktop client, like `textsFor`. */
export function clientTextsFor(languages: readonly string[]): ClientTexts {
  return textsFor(languages) === german ? germanClient : englishClient;
}

/** Returns the texts in the user's first supported language. `languages` are BCP 47 tags, preferred first. */
export function textsFor(languages: readonly string[]): TrayTexts {
  const primary = languages.map((tag) => tag.toLowerCase().split('-')[0]);
  const supported = primary.find((language) => language === 'de' || language === 'en');
  return supported === 'de' ? german : english;
}
