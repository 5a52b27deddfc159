/**
 * Makes the form fields and files of every job from the options, and validates them before anything is converted.
 */
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Failure } from '../../failure/failure.ts';
import { fileErrorReason } from '../../failure/no-room.ts';
import { inlineConfigFile } from '../../job/config-file.ts';
import { table, type OptionName, type OptionRow } from '../../job/options.ts';
import { readJob } from '../../job/read-job.ts';
import type { BatchOrder } from '../../launch/messages.ts';
import type { Settings } from '../../settings/table.ts';
import { trimLineEnd, UsageProblem } from '../terminal.ts';
import type { ConvertArguments, OptionArgument } from './words.ts';

export type Form = Pick<BatchOrder, 'fields' | 'files'>;

/** @throws UsageProblem for a file that cannot be read */
export async function readForm(options: ConvertArguments['options'], format: string): Promise<Form> {
  const fields: Form['fields'][number][] = [];
  const files: Form['files'][number][] = [];
  for (const [name, written] of options) {
    if (written.source === 'upload') files.push(await uploadOf(name, written));
    else
      fields.push({
        name,
        value: written.source === 'content' ? await contentOf(name, written) : written.text,
      });
  }
  const others = fields.filter(({ name }) => name !== 'output_format');
  return { fields: [...others, { name: 'output_format', value: format }], files };
}

async function uploadOf(name: OptionName, { text }: OptionArgument): Promise<Form['files'][number]> {
  const path = resolve(text);
  const facts = await stat(path).catch((problem: unknown) => {
    throw unreadable(name, text, problem);
  });
  if (!facts.isFile()) throw new UsageProblem(`${text}, given for ${name}, is not a file.`);
  return { name, path, filename: basename(path) };
}

async function contentOf(name: OptionName, { text }: OptionArgument): Promise<string> {
  const read = await readFile(text, 'utf8').catch((problem: unknown) => {
    throw unreadable(name, text, problem);
  });
  const content = read.replace(/^\ufeff/, '');
  const row: OptionRow = table[name];
  return row.secret === true ? trimLineEnd(content) : content;
}

function unreadable(name: string, path: string, problem: unknown): UsageProblem {
  const code = (problem as NodeJS.ErrnoException).code;
  const why =
    code === 'ENOENT' ? 'the file does not exist' : fileErrorReason(problem as NodeJS.ErrnoException);
  return new UsageProblem(`${path}, given for ${name}, cannot be read: ${why}.`);
}

/** Validates the form as a job would. @throws UsageProblem naming every problem */
export async function checkForm(
  { fields, files }: Form,
  settings: Pick<Settings, 'job-timeout' | 'alias'>,
  input: 'url' | 'text',
): Promise<void> {
  const sizes = await Promise.all(files.map(({ path }) => stat(path)));
  const uploads = files.map(({ name, path, filename }, index) => ({
    name,
    upload: { path, name: filename, size: sizes[index]?.size ?? 0 },
  }));
  const named = { name: input, value: input === 'url' ? 'https://example.com/' : '<p>' };
  const form = { fields: [...fields, named], files: uploads };
  try {
    const limits = { jobTimeout: settings['job-timeout'], twin: settings.alias === 'pdfcrowd' };
    readJob(await inlineConfigFile(form), limits);
  } catch (problem) {
    if (problem instanceof Failure) throw new UsageProblem(problem.message, { cause: problem });
    throw problem;
  }
}
