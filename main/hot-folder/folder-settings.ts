/** platen.json of a hot folder -> how its sources are converted, or every problem in one sentence. */
import type { Stats } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { Failure } from '../failure/failure.ts';
import type { Kind } from '../fields/kind.ts';
import { oneOf } from '../fields/kinds.ts';
import { timeLimit } from '../fields/measures.ts';
import { nearest } from '../fields/nearest.ts';
import { withoutLongValues } from '../job/field-lengths.ts';
import { table, type OptionName, type OptionRow } from '../job/options.ts';
import type { Form } from '../job/read-fields.ts';
import { readJob } from '../job/read-job.ts';
import type { Limits } from '../job/rules.ts';

export interface FolderSettings {
  /** Sub-folder of the outputs, with slashes; empty: beside the sources. */
  readonly output: string;
  /** What becomes of a source that was converted. */
  readonly after: 'keep' | 'move' | 'delete';
  /** Which files beside a page it may use: none, those of its own folder (`page_files`), all. */
  readonly assets: 'none' | 'own' | 'all';
  /** Milliseconds for which a source must not change before it is read. */
  readonly settle: number;
  /** Milliseconds between two looks, for drives that tell of no changes. */
  readonly poll: number | undefined;
  /** Options, and files of options by their paths in the folder. */
  readonly fields: Form['fields'];
  readonly files: readonly { readonly name: OptionName; readonly path: string }[];
  /** The output's extension. */
  readonly format: string;
}

/** Something is wrong with platen.json: one sentence for whoever wrote it. */
export class FolderSettingsProblem extends Error {}

/** Sub-folders that are ours: what failed, and what was converted and moved. */
export const [failedFolder, doneFolder] = ['failed', 'done'];

const own = {
  output: {
    allowed: 'the name of a sub-folder, other than failed and done',
    schema: { type: 'string' },
    read: (text) => (isSubFolder(text) ? text.replaceAll('\\', '/') : undefined),
  },
  after: oneOf(['keep', 'move', 'delete']),
  assets: oneOf(['none', 'own', 'all']),
  settle: timeLimit,
  poll: timeLimit,
} as const satisfies Record<string, Kind<unknown>>;

type OwnName = keyof typeof own;
const ownNames = Object.keys(own) as OwnName[];

/** Those that say what is converted and how the answer is called; here both are said by the source. */
const taken: readonly string[] = ['file', 'url', 'text', 'output_name', 'content_disposition'];

/**
 * `text`: undefined where there is no platen.json. `limits` are those of every job.
 * @throws FolderSettingsProblem
 */
export async function readFolderSettings(
  folder: string,
  text: string | undefined,
  limits: Limits,
): Promise<FolderSettings> {
  const entries = Object.entries(text === undefined ? {} : parsed(text));
  const isOwn = ([name]: readonly [string, unknown]) => Object.hasOwn(own, name);
  const values = Object.fromEntries(entries.filter(isOwn).map(readOwn)) as {
    [N in OwnName]?: ReturnType<(typeof own)[N]['read']>;
  };
  const options = entries.filter((entry) => !isOwn(entry)).map(asField);
  const files = options.filter(({ name }) => isFileOption(name));
  const fields = options.filter(({ name }) => !isFileOption(name));
  const named = files.map(({ name, value }) => ({ name: name as OptionName, path: value }));
  for (const file of named) await refuseMissing(folder, file);
  return {
    ...{ output: values.output ?? '', after: values.after ?? 'keep', assets: values.assets ?? 'none' },
    ...{ settle: values.settle ?? 2000, poll: values.poll, fields, files: named },
    format: formatOf({ fields, files: named }, limits),
  };
}

function parsed(text: string): object {
  try {
    // Windows editors begin a file with a byte order mark.
    const content: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
  } catch (problem) {
    throw new FolderSettingsProblem(`it cannot be read as JSON: ${(problem as Error).message}.`);
  }
  throw new FolderSettingsProblem('it must hold one JSON object of options.');
}

function readOwn([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  const kind: Kind<unknown> = own[name as OwnName];
  const read = typeof value === 'string' || typeof value === 'number' ? kind.read(String(value)) : undefined;
  if (read !== undefined) return [name, read];
  throw new FolderSettingsProblem(
    `the value ${JSON.stringify(value).slice(0, 80)} of ${name} is not allowed; allowed: ${kind.allowed}.`,
  );
}

/** What is JSON on the wire may be written as JSON. */
const structured: readonly string[] = ['conversion_config', 'data_string'];

function asField([name, value]: readonly [string, unknown]): { name: string; value: string } {
  if (taken.includes(name))
    throw new FolderSettingsProblem(`${name} has no place here; the source decides that.`);
  const meant = Object.hasOwn(table, name) ? undefined : nearest(name, [...ownNames, ...Object.keys(table)]);
  if (ownNames.some((own) => own === meant))
    throw new FolderSettingsProblem(`'${name}' is not known; did you mean ${meant ?? ''}?`);
  if (structured.includes(name) && typeof value === 'object') return { name, value: JSON.stringify(value) };
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { name, value: String(value) };
  throw new FolderSettingsProblem(`${name} must be a text, a number, true or false.`);
}

function isFileOption(name: string): boolean {
  const row: OptionRow | undefined = Object.hasOwn(table, name) ? table[name as OptionName] : undefined;
  return row?.kind === table.file.kind;
}

async function refuseMissing(folder: string, { name, path }: FolderSettings['files'][number]): Promise<void> {
  const says = `${name} names '${path}', which`;
  if ((await fileInside(folder, path)) === undefined)
    throw new FolderSettingsProblem(`${says} is no file inside this folder.`);
  const opened = await open(join(folder, path)).catch(() => {
    throw new FolderSettingsProblem(`${says} the service may not read.`);
  });
  await opened.close();
}

/**
 * The regular file at a path in the folder, undefined where there is none or a link leads to it: whoever may write here must not
 * have the service read what he may not.
 */
export async function fileInside(folder: string, path: string): Promise<Stats | undefined> {
  if (path === '' || isAbsolute(path)) return undefined;
  const root = await realpath(folder);
  const place = join(root, path);
  const isBelow = place.startsWith(root.endsWith(sep) ? root : root + sep);
  if (!isBelow || (await realpath(place).catch(() => '')) !== place) return undefined;
  const stats = await lstat(place).catch(() => undefined);
  return stats?.isFile() === true ? stats : undefined;
}

function formatOf({ fields, files }: Pick<FolderSettings, 'fields' | 'files'>, limits: Limits): string {
  const upload = { path: '', name: 'page.html', size: 1 };
  const uploads = [{ name: 'file', path: '' }, ...files].map(({ name }) => ({ name, upload }));
  try {
    const { form, problem } = withoutLongValues({ fields, files: uploads });
    if (problem !== undefined) throw problem;
    return readJob(form, limits).options.output_format;
  } catch (problem) {
    if (problem instanceof Failure) throw new FolderSettingsProblem(problem.message);
    throw problem;
  }
}

function isSubFolder(text: string): boolean {
  const parts = text.split(/[\\/]/);
  const isPlain = (part: string) => /^[^.\s][^<>:"|?*\p{Cc}]*$/u.test(part) && !/[. ]$/.test(part);
  const ours = [failedFolder, doneFolder].includes(parts[0]?.toLowerCase() ?? '');
  return parts.every(isPlain) && !ours && !isAbsolute(text);
}
