/** The options that were written -> the fields and files of every job's form, known to be sound before anything is converted. */
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Failure } from '../../failure/failure.ts';
import { whyUnusable } from '../../failure/no-room.ts';
import { inlineConfigFile } from '../../job/config-file.ts';
import { table, type OptionName, type OptionRow } from '../../job/options.ts';
import { readJob } from '../../job/read-job.ts';
import type { BatchOrder } from '../../launch/batch-messages.ts';
import type { Settings } from '../../settings/table.ts';
import { withoutLineEnd } from '../line-end.ts';
import { UsageProblem } from '../usage-problem.ts';
import type { ConvertWords, WrittenOption } from './words.ts';

export type Form = Pick<BatchOrder, 'fields' | 'files'>;

/** @throws UsageProblem for a file that cannot be read */
export async function readForm(options: ConvertWords['options'], format: string): Promise<Form> {
  const [fields, files]: [Form['fields'][number][], Form['files'][number][]] = [[], []];
  for (const [name, written] of options) {
    if (written.is === 'upload') files.push(await uploadOf(name, written));
    else
      fields.push({ name, value: written.is === 'content' ? await contentOf(name, written) : written.text });
  }
  const others = fields.filter(({ name }) => name !== 'output_format');
  return { fields: [...others, { name: 'output_format', value: format }], files };
}

async function uploadOf(name: OptionName, { text }: WrittenOption): Promise<Form['files'][number]> {
  const path = resolve(text);
  const facts = await stat(path).catch((problem: unknown) => {
    throw unreadable(name, text, problem);
  });
  if (!facts.isFile()) throw new UsageProblem(`${text}, given for ${name}, is not a file.`);
  return { name, path, filename: basename(path) };
}

async function contentOf(name: OptionName, { text }: WrittenOption): Promise<string> {
  const read = await readFile(text, 'utf8').catch((problem: unknown) => {
    throw unreadable(name, text, problem);
  });
  const content = read.replace(/^\ufeff/, '');
  const row: OptionRow = table[name];
  return row.secret === true ? withoutLineEnd(content) : content;
}

function unreadable(name: string, path: string, problem: unknown): UsageProblem {
  const code = (problem as NodeJS.ErrnoException).code;
  const why = code === 'ENOENT' ? 'there is no such file' : whyUnusable(problem as NodeJS.ErrnoException);
  return new UsageProblem(`${path}, given for ${name}, cannot be read: ${why}.`);
}

/** Reads it as a job would. @throws UsageProblem naming every problem */
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
