/** Reads `conversion_config_file` into the field `conversion_config`. */
import { readFile } from 'node:fs/promises';
import type { Form } from './read-fields.ts';

const maxBytes = 1_000_000;

/**
 * Returns the form with the file replaced by a field that contains its text. For a file over 1 MB, the field is
 * `(too long)`, which validation refuses.
 */
export async function inlineConfigFile(form: Form): Promise<Form> {
  const part = form.files.find(({ name }) => name === 'conversion_config_file');
  if (part === undefined || form.fields.some(({ name }) => name === 'conversion_config')) return form;
  const { path, size } = part.upload;
  const value = size > maxBytes ? '(too long)' : (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  const files = form.files.filter((file) => file !== part);
  return { files, fields: [...form.fields, { name: 'conversion_config', value }] };
}
