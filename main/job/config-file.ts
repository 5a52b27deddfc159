/** `conversion_config_file`: the file's text takes the place of the field `conversion_config`. */
import { readFile } from 'node:fs/promises';
import type { Form } from './read-fields.ts';

/** No set-up of pages is longer. */
const mostBytes = 1_000_000;

/** The form with the file's text as a field in its place. A file that is too long is left as it is, and refused with its beginning. */
export async function inlineConfigFile(form: Form): Promise<Form> {
  const part = form.files.find(({ name }) => name === 'conversion_config_file');
  if (part === undefined || form.fields.some(({ name }) => name === 'conversion_config')) return form;
  const { path, size } = part.upload;
  const value = size > mostBytes ? '(too long)' : (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  const files = form.files.filter((one) => one !== part);
  return { files, fields: [...form.fields, { name: 'conversion_config', value }] };
}
