/** The fields of POST /jobs that a conversion does not have: callback_url, priority, keep, rows and merge. */
import { priorityNames } from '../accounts/job-json.ts';
import type { JobPriority } from '../accounts/store/tables.ts';
import { Failure, shortened } from '../failure/failure.ts';
import { flag, integer, oneOf } from '../fields/kinds.ts';
import { webAddressIn } from '../fields/parsed-url.ts';
import { isStoredText, type Upload } from '../job/option-kinds.ts';
import type { Form } from '../job/read-fields.ts';
import { withoutQuery } from '../log/masking.ts';

export interface AsynchronousJobFields {
  readonly callbackUrl: URL | undefined;
  readonly priority: JobPriority;
  /** How long the output is kept, in milliseconds. */
  readonly keepMs: number;
  /** The data of a batch; undefined for a single job. */
  readonly rows: Upload | undefined;
  /** Whether the documents of a batch become one. */
  readonly merge: boolean;
}

const names: readonly string[] = ['callback_url', 'priority', 'keep', 'merge'];
const rowsName = 'rows';
const priorityKind = oneOf(priorityNames);
const maxUrlLength = 2000;

/**
 * Takes the fields out of a form. `maxKeepMs`: the setting output-keep.
 * @throws Failure valueNotAllowed; bodyFormat for a file part
 */
export function takeJobFields(
  form: Form,
  maxKeepMs: number,
): { readonly form: Form; readonly fields: AsynchronousJobFields } {
  const file = form.files.find(({ name }) => names.includes(name));
  if (file !== undefined)
    throw new Failure('bodyFormat', `${file.name} must be a plain field, not a file part.`);
  const rows = rowsOf(form);
  const merge = readMerge(valueOf(form, 'merge'), rows !== undefined);
  const priority = valueOf(form, 'priority');
  const keep = valueOf(form, 'keep');
  const callbackUrl = valueOf(form, 'callback_url');
  return {
    form: {
      fields: form.fields.filter(({ name }) => !names.includes(name) && name !== rowsName),
      files: form.files.filter(({ name }) => name !== rowsName),
    },
    fields: {
      callbackUrl: callbackUrl === undefined ? undefined : readCallbackUrl(callbackUrl),
      priority: priority === undefined ? 1 : readPriority(priority),
      keepMs: keep === undefined ? maxKeepMs : readKeep(keep, maxKeepMs),
      rows,
      merge,
    },
  };
}

/** Returns the value; undefined if the field is absent or empty. */
function valueOf({ fields }: Form, name: string): string | undefined {
  const values = fields.filter((field) => field.name === name).map(({ value }) => value);
  if (values.length > 1)
    throw new Failure('valueNotAllowed', `${name} was given more than once; send it once.`);
  return values[0] === '' ? undefined : values[0];
}

/** Returns the file of rows; undefined without one. @throws Failure bodyFormat, valueNotAllowed */
function rowsOf({ fields, files }: Form): Upload | undefined {
  const [file, second] = files.filter(({ name }) => name === rowsName);
  if (second !== undefined)
    throw new Failure('valueNotAllowed', 'rows was given more than once; send one file.');
  const isField = fields.some(({ name, value }) => name === rowsName && value !== '');
  if (isField || (file !== undefined && isStoredText(file.upload)))
    throw new Failure('bodyFormat', 'rows must be a file part, not a plain field.');
  return file?.upload;
}

function readMerge(value: string | undefined, hasRows: boolean): boolean {
  const merge = value === undefined ? false : flag.read(value);
  if (merge === undefined) throw notAllowed('merge', value ?? '', flag.allowed);
  if (merge && !hasRows)
    throw new Failure('valueNotAllowed', 'merge=true merges the documents of rows; send the file rows too.');
  return merge;
}

function readPriority(value: string): JobPriority {
  const name = priorityKind.read(value);
  if (name === undefined) throw notAllowed('priority', value, priorityKind.allowed);
  return priorityNames.indexOf(name) as JobPriority;
}

function readKeep(value: string, maxKeepMs: number): number {
  const kind = integer(1, Math.max(1, Math.floor(maxKeepMs / 1000)));
  const seconds = kind.read(value);
  if (seconds !== undefined) return seconds * 1000;
  throw notAllowed('keep', value, `${kind.allowed} seconds, the limit of this service (output-keep)`);
}

function readCallbackUrl(value: string): URL {
  const allowed = `a complete http:// or https:// address without user name and password, of at most ${maxUrlLength} characters`;
  const url = value.length <= maxUrlLength ? webAddressIn(value) : undefined;
  if (url?.username !== '' || url.password !== '')
    throw notAllowed('callback_url', withoutQuery(value), allowed);
  return url;
}

function notAllowed(name: string, value: string, allowed: string): Failure {
  return new Failure(
    'valueNotAllowed',
    `The value '${shortened(value)}' of ${name} is not allowed; allowed: ${allowed}.`,
  );
}
