/** Makes file names that every file system accepts. */

/** Windows reserves these names with any extension. */
const reservedNames = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** Leaves room for the names of files inside, because Windows limits a path to 260 characters. */
const maxLength = 60;

/** Gives each name its own file name. Names that differ only in case count as equal, as on Windows and macOS. */
export class FileNames {
  readonly #taken = new Set<string>();

  /** Returns a new file name of ASCII letters, digits, `.`, `_` and `-` that resembles `name`. */
  add(name: string): string {
    const cleaned = cleanedName(name);
    let fileName = cleaned;
    for (let count = 2; this.#taken.has(fileName.toLowerCase()); count += 1) fileName = `${cleaned}-${count}`;
    this.#taken.add(fileName.toLowerCase());
    return fileName;
  }
}

function cleanedName(name: string): string {
  const cleaned = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, maxLength)
    // Windows removes dots at the end of a name. A name with a dot or hyphen at the beginning is hidden, or looks like an option.
    .replace(/^[.-]+|(?<![.-])[.-]+$/g, '');
  return cleaned === '' || reservedNames.test(cleaned) ? `sample-${cleaned}`.replace(/-$/, '') : cleaned;
}
