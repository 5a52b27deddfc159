/** Reads the settings of a hot folder from its file platen.json, or reports a problem in them in one sentence. */
import { isAbsolute } from 'node:path';
import { Failure } from '../failure/failure.ts';
import { oneOf, type Kind, timeLimit } from '../fields/kinds.ts';
import { nearestName } from '../fields/nearest.ts';
import { dropExcessiveValues, isFileOption, type Form, type ReceivedField } from '../job/read-fields.ts';
import { openFile } from '../files/open-inside.ts';
import { table, type OptionName, type OptionRow } from '../job/options.ts';
import { readJob } from '../job/read-job.ts';
import type { JobLimits } from '../job/rules.ts';

export interface FolderSettings {
  /** Subfolder for the outputs, with slashes; empty if they are written beside the sources. */
  readonly output: string;
  /** What happens to a converted source. */
  readonly after: 'keep' | 'move' | 'delete';
  /** The files in the hot folder that a page may load: none, those in its companion folder (such as `page_files`), or all. */
  readonly assets: 'none' | 'own' | 'all';
  /** Time for which a source must not change before it is read, in milliseconds. */
  readonly settleMs: number;
  /** Time between scans in milliseconds, for drives that report no changes; undefined for the default. */
  readonly pollMs: number | undefined;
  /** Options of the conversion. `files` contains the file options, with paths relative to the hot folder. */
  readonly fields: Form['fields'];
  readonly files: readonly { readonly name: OptionName; readonly path: string }[];
  /** File name extension of the output. */
  readonly format: string;
}

/** A problem in platen.json. The message is one sentence for the author of the file. */
export class FolderSettingsProblem extends Error {}

/** Subfolders that the service creates: for failed sources, and for converted sources that are moved. */
export const failedFolder = 'failed';
export const doneFolder = 'done';

/** Returns whether the service writes to this subfolder, so that pages may not load files from it. */
export function isServiceFolder(name: string, { output }: Pick<FolderSettings, 'output'>): boolean {
  const [outputFolder = ''] = output.split(/[\\/]/);
  return [failedFolder, doneFolder, outputFolder].includes(name);
}

const folderFields = {
  output: {
    allowed: 'the name of a subfolder, other than failed and done',
    schema: { type: 'string' },
    read: (text) => (isValidSubFolder(text) ? text.replaceAll('\\', '/') : undefined),
  },
  after: oneOf(['keep', 'move', 'delete']),
  assets: oneOf(['none', 'own', 'all']),
  settle: timeLimit,
  poll: timeLimit,
} as const satisfies Record<string, Kind<unknown>>;

type FolderField = keyof typeof folderFields;
const folderFieldNames = Object.keys(folderFields) as FolderField[];

/** Options that cannot be set, because the source determines the input and the name of the output. */
const reservedOptions: readonly string[] = ['file', 'url', 'text', 'output_name', 'content_disposition'];

/**
 * Reads the settings. `folder` is the absolute path of the hot folder, without links. `text` is the content of platen.json,
 * undefined if there is no such file. `limits` apply to every job.
 * @throws FolderSettingsProblem
 */
export async function readFolderSettings(
  folder: string,
  text: string | undefined,
  limits: JobLimits,
): Promise<FolderSettings> {
  const entries = Object.entries(text === undefined ? {} : parseObject(text));
  if (entries.length > maxEntries)
    throw new FolderSettingsProblem(
      `it has ${entries.length} settings, but at most ${maxEntries} are allowed.`,
    );
  rejectMistypedNames(entries.map(([name]) => name));
  const isFolderField = ([name]: readonly [string, unknown]) => Object.hasOwn(folderFields, name);
  const values = Object.fromEntries(entries.filter(isFolderField).map(readFolderField)) as {
    [N in FolderField]?: ReturnType<(typeof folderFields)[N]['read']>;
  };
  const options = entries.filter((entry) => !isFolderField(entry)).flatMap(toFields);
  const files = options.filter(({ name }) => takesFile(name));
  const fields = options.filter(({ name }) => !takesFile(name));
  const optionFiles = files.map(({ name, value }) => ({ name: name as OptionName, path: value }));
  for (const file of optionFiles) await rejectMissingFile(folder, file);
  return {
    output: values.output ?? '',
    after: values.after ?? 'keep',
    assets: values.assets ?? 'none',
    settleMs: values.settle ?? 2000,
    pollMs: values.poll,
    fields,
    files: optionFiles,
    format: formatOf({ fields, files: optionFiles }, limits),
  };
}

/** More names than there are options and settings, with their aliases. The main thread reads all of them in one step. */
const maxEntries = 500;
/** Further unknown names are not compared with the known ones, because each comparison takes half a millisecond. */
const maxSuggestions = 20;

/** Throws FolderSettingsProblem for a name that is probably a mistyped setting. Unknown options are reported with the others. */
function rejectMistypedNames(names: readonly string[]): void {
  const knownNames = [...folderFieldNames, ...Object.keys(table)];
  const unknownNames = names.filter((name) => !knownNames.includes(name));
  for (const name of unknownNames.slice(0, maxSuggestions)) {
    const suggestion = nearestName(name, knownNames);
    if (folderFieldNames.some((field) => field === suggestion))
      throw new FolderSettingsProblem(`'${name}' is not known; did you mean ${suggestion ?? ''}?`);
  }
}

function parseObject(text: string): object {
  try {
    // Some editors on Windows write a byte order mark.
    const content: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
  } catch (problem) {
    throw new FolderSettingsProblem(`it is not valid JSON: ${(problem as Error).message}.`);
  }
  throw new FolderSettingsProblem('it must contain one JSON object of options.');
}

function readFolderField([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  const kind: Kind<unknown> = folderFields[name as FolderField];
  const read = typeof value === 'string' || typeof value === 'number' ? kind.read(String(value)) : undefined;
  if (read !== undefined) return [name, read];
  throw new FolderSettingsProblem(
    `the value ${JSON.stringify(value).slice(0, 80)} of ${name} is not allowed; allowed: ${kind.allowed}.`,
  );
}

/** Options whose value is JSON text in the API. In platen.json, the value may be a JSON object. */
const jsonOptions: readonly string[] = ['conversion_config', 'data_string'];

/** Returns one field for an option, or one for each element of an array if the option may be repeated. */
function toFields([name, value]: readonly [string, unknown]): ReceivedField[] {
  const row = rowNamed(name);
  if (row?.isRepeatable !== true || !Array.isArray(value)) return [toField([name, value])];
  return value.map((element: unknown) => toField([name, element]));
}

function toField([name, value]: readonly [string, unknown]): ReceivedField {
  if (reservedOptions.includes(name))
    throw new FolderSettingsProblem(`${name} cannot be set here; the source determines it.`);
  if (jsonOptions.includes(name) && typeof value === 'object') return { name, value: JSON.stringify(value) };
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { name, value: String(value) };
  const listHint = rowNamed(name)?.isRepeatable === true ? ', or an array of them' : '';
  throw new FolderSettingsProblem(`${name} must be a string, a number, true or false${listHint}.`);
}

function takesFile(name: string): boolean {
  const row = rowNamed(name);
  return row !== undefined && isFileOption(row);
}

function rowNamed(name: string): OptionRow | undefined {
  return Object.hasOwn(table, name) ? table[name as OptionName] : undefined;
}

/** Users who can write to the folder must not make the service read files that they cannot read themselves. */
async function rejectMissingFile(
  folder: string,
  { name, path }: FolderSettings['files'][number],
): Promise<void> {
  const subject = `${name} names '${path}', which`;
  try {
    if (path === '' || isAbsolute(path)) throw new Error('The path is not relative.');
    await (await openFile(folder, path)).file.close();
  } catch (problem) {
    const isUnreadable = ['EACCES', 'EPERM', 'EBUSY'].includes((problem as NodeJS.ErrnoException).code ?? '');
    const reason = isUnreadable ? 'the service cannot read' : 'is not a file inside this folder';
    throw new FolderSettingsProblem(`${subject} ${reason}.`);
  }
}

function formatOf({ fields, files }: Pick<FolderSettings, 'fields' | 'files'>, limits: JobLimits): string {
  const upload = { path: '', name: 'page.html', size: 1 };
  const uploads = [{ name: 'file', path: '' }, ...files].map(({ name }) => ({ name, upload }));
  try {
    const { form, problem } = dropExcessiveValues({ fields, files: uploads });
    if (problem !== undefined) throw problem;
    return readJob(form, limits).options.output_format;
  } catch (problem) {
    if (problem instanceof Failure) throw new FolderSettingsProblem(problem.message);
    throw problem;
  }
}

function isValidSubFolder(text: string): boolean {
  const parts = text.split(/[\\/]/);
  const isPlain = (part: string) => /^[^.\s][^<>:"|?*\p{Cc}]*$/u.test(part) && !/[. ]$/.test(part);
  const isReserved = [failedFolder, doneFolder].includes(parts[0]?.toLowerCase() ?? '');
  return parts.every(isPlain) && !isReserved && !isAbsolute(text);
}
