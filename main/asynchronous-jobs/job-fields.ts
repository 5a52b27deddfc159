/** The fields of POST /jobs that a conversion does not have: callback_url, priority and keep. */
import { priorityNames } from '../accounts/job-json.ts';
import type { JobPriority } from '../accounts/store/tables.ts';
import { Failure, shortened } from '../failure/failure.ts';
import { integer, oneOf } from '../fields/kinds.ts';
import type { Form } from '../job/read-fields.ts';
import { withoutCredentials } from '../log/masking.ts';

export interface AsynchronousJobFields {
  readonly callbackUrl: URL | undefined;
  readonly priority: JobPriority;
  /** How long the output is kept, in milliseconds. */
  readonly keepMs: number;
}

const names: readonly string[] = ['callback_url', 'priority', 'keep'];
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
  const priority = valueOf(form, 'priority');
  const keep = valueOf(form, 'keep');
  const callbackUrl = valueOf(form, 'callback_url');
  return {
    form: { ...form, fields: form.fields.filter(({ name }) => !names.includes(name)) },
    fields: {
      callbackUrl: callbackUrl === undefined ? undefined : readCallbackUrl(callbackUrl),
      priority: priority === undefined ? 1 : readPriority(priority),
      keepMs: keep === undefined ? maxKeepMs : readKeep(keep, maxKeepMs),
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
  const isAddress = /^\s*https?:\/\//i.test(value) && value.length <= maxUrlLength && URL.canParse(value);
  const url = isAddress ? new URL(value) : undefined;
  if (url?.username !== '' || url.password !== '')
    throw notAllowed('callback_url', withoutCredentials(value), allowed);
  return url;
}

function notAllowed(name: string, value: string, allowed: string): Failure {
  return new Failure(
    'valueNotAllowed',
    `The value '${shortened(value)}' of ${name} is not allowed; allowed: ${allowed}.`,
  );
}
