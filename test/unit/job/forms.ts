import type { Form } from '../../../main/job/read-fields.ts';
import { readJob } from '../../../main/job/read-job.ts';
import type { Upload } from '../../../main/job/option-kinds.ts';
import type { Options } from '../../../main/job/options.ts';

export const limits = { jobTimeoutMs: 60_000 };

export const pageUpload: Upload = { path: '/jobs/1/part', name: 'page.html', size: 12 };

/** Returns a form with these plain fields and files. Pairs can repeat a name. */
export function formOf(
  fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
  files: Form['files'] = [],
): Form {
  const pairs = Array.isArray(fields)
    ? (fields as readonly (readonly [string, string])[])
    : Object.entries(fields as Readonly<Record<string, string>>);
  return { fields: pairs.map(([name, value]) => ({ name, value })), files };
}

/** Returns the options of a form with HTML in text and these fields. */
export function optionsOf(fields: Readonly<Record<string, string>> = {}): Options {
  return readJob(formOf({ text: '<p>', ...fields }), limits).options;
}
