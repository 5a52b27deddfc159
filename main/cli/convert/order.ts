/** An item -> the order for the Electron of this machine. */
import { basename } from 'node:path';
import type { BatchOrder } from '../../launch/batch-messages.ts';
import type { Task } from './converter.ts';
import type { Input } from './inputs.ts';

export function orderOf({ item, form, path }: Task): Omit<BatchOrder, 'kind' | 'number'> {
  const { input, beside, debugLog } = item;
  const log = debugLog === undefined ? {} : { debugLog };
  if (input.kind === 'url')
    return {
      ...{ output: path, ...log, files: form.files },
      fields: [...form.fields, { name: 'url', value: input.url.href }],
    };
  const file = { name: 'file', path: input.path, filename: nameOf(input), ...(beside && { beside }) };
  return { output: path, ...log, fields: form.fields, files: [...form.files, file] };
}

/** For messages, and to tell XHTML from HTML. */
export function nameOf(input: Extract<Input, { kind: 'file' | 'stdin' }>): string {
  return input.kind === 'file' ? basename(input.path) : input.name;
}
