/** Builds the form fields and files of every job from the options, and validates them before anything is converted. */
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Failure, fileErrorReason } from '../../failure/failure.ts';
import { inlineConfigFile, readJob } from '../../job/read-job.ts';
import { table, type OptionName, type OptionRow } from '../../job/options.ts';
import type { BatchRequest } from '../../launch/messages.ts';
import type { Settings } from '../../settings/table.ts';
import { trimLineEnd, UsageProblem } from '../terminal.ts';
import type { ConvertArguments, OptionArgument } from './arguments.ts';

export type ItemForm = Pick<BatchRequest, 'fields' | 'files'>;

/** Builds the form. @throws UsageProblem for a file that cannot be read */
export async function readForm(options: ConvertArguments['options'], format: string): Promise<ItemForm> {
  const fields: ItemForm['fields'][number][] = [];
  const files: ItemForm['files'][number][] = [];
  for (const [name, values] of options)
    for (const argument of values) {
      if (argument.source === 'upload') files.push(await readUpload(name, argument));
      else
        fields.push({
          name,
          value: argument.source === 'content' ? await readContent(name, argument) : argument.text,
        });
    }
  const others = fields.filter(({ name }) => name !== 'output_format');
  return { fields: [...others, { name: 'output_format', value: format }], files };
}

async function readUpload(name: OptionName, { text }: OptionArgument): Promise<ItemForm['files'][number]> {
  const path = resolve(text);
  const stats = await stat(path).catch((problem: unknown) => {
    throw unreadable(name, text, problem);
  });
  if (!stats.isFile()) throw new UsageProblem(`${text}, given for ${name}, is not a file.`);
  return { name, path, filename: basename(path) };
}

async function readContent(name: OptionName, { text }: OptionArgument): Promise<string> {
  const content = await readFile(text, 'utf8').catch((problem: unknown) => {
    throw unreadable(name, text, problem);
  });
  const withoutMark = content.replace(/^\ufeff/, '');
  const row: OptionRow = table[name];
  return row.secret === true ? trimLineEnd(withoutMark) : withoutMark;
}

function unreadable(name: string, path: string, problem: unknown): UsageProblem {
  const code = (problem as NodeJS.ErrnoException).code;
  const why =
    code === 'ENOENT' ? 'the file does not exist' : fileErrorReason(problem as NodeJS.ErrnoException);
  return new UsageProblem(`${path}, given for ${name}, cannot be read: ${why}.`);
}

/** Validates the form as a job would. @throws UsageProblem that names every problem */
export async function checkForm(
  { fields, files }: ItemForm,
  settings: Pick<Settings, 'job-timeout' | 'alias'>,
  input: 'url' | 'text',
): Promise<void> {
  const sizes = await Promise.all(files.map(({ path }) => stat(path)));
  const uploads = files.map(({ name, path, filename }, index) => ({
    name,
    upload: { path, name: filename, size: sizes[index]?.size ?? 0 },
  }));
  const inputField = { name: input, value: input === 'url' ? 'https://example.com/' : '<p>' };
  const form = { fields: [...fields, inputField], files: uploads };
  try {
    const limits = { jobTimeoutMs: settings['job-timeout'], isPdfcrowdAlias: settings.alias === 'pdfcrowd' };
    readJob(await inlineConfigFile(form), limits);
  } catch (problem) {
    if (problem instanceof Failure) throw new UsageProblem(problem.message, { cause: problem });
    throw problem;
  }
}
