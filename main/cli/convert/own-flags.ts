/** The flags that only `platen convert` has, with what its help says of them. */

export interface OwnFlag {
  readonly takes: 'switch' | 'value' | 'path';
  /** What its value is called; absent: as what it takes. */
  readonly value?: string;
  readonly says: string;
}

export const ownFlags = {
  output: { takes: 'path', says: 'The output, a file; - is standard output. Also -o.' },
  'out-dir': {
    takes: 'path',
    value: 'FOLDER',
    says: 'Folder for the outputs, in which the folders of the inputs are kept. Without it each is beside its input.',
  },
  force: { takes: 'switch', says: 'Convert also what has an output newer than itself.' },
  root: {
    takes: 'path',
    value: 'FOLDER',
    says: 'Folder whose files a page may load, and in which addresses begin that start with /. Without it the folder of the page, or the one that was given to convert.',
  },
  'no-root': { takes: 'switch', says: 'Let pages load no files of this machine.' },
  watch: { takes: 'switch', says: 'Stay, and convert anew what is saved, until Ctrl-C.' },
  quiet: { takes: 'switch', says: 'Say nothing but what has failed. Also -q.' },
  verbose: { takes: 'switch', says: 'Say of each document how long its stages took. Also -v.' },
  json: { takes: 'switch', says: 'Print a line of JSON for each document, and one at the end.' },
  'debug-log': {
    takes: 'path',
    says: 'Write the debug log of the conversion into this .html file, or of each into this folder.',
  },
  remote: {
    takes: 'value',
    value: 'URL',
    says: 'Address of a Platen service that is to convert instead of this machine.',
  },
  account: {
    takes: 'value',
    value: 'USER:KEY',
    says: 'user:key for --remote. Better in the environment variable PLATEN_ACCOUNT, which nobody else sees.',
  },
  help: { takes: 'switch', says: 'This. Also -h.' },
} as const satisfies Record<string, OwnFlag>;

export type OwnName = keyof typeof ownFlags;

/** By their letters. */
export const letters: Readonly<Partial<Record<string, OwnName>>> = {
  o: 'output',
  q: 'quiet',
  v: 'verbose',
  h: 'help',
};
