/** Validates the request for a batch: its options, and each row of its data. */
import { Failure } from '../../failure/failure.ts';
import type { ParsedJob } from '../../job/read-job.ts';
import type { OptionName } from '../../job/options.ts';
import type { Form } from '../../job/read-fields.ts';
import { readRows } from '../../rows/read-rows.ts';
import { fieldsWithout, rowFields } from './row-request.ts';

/** Options for which a document cannot be changed any more, or which concern one document only. */
const notMergeable: readonly OptionName[] = [
  'pdf_standard',
  'invoice_xml',
  'sign',
  'encrypt',
  'user_password',
  'owner_password',
  'no_print',
  'no_modify',
  'no_copy',
  'linearize',
];

export interface ValidatedRows {
  /** The number of rows. */
  readonly count: number;
  /** The size of the data of all rows that can be used, in characters of JSON. */
  readonly size: number;
  /** The data of the first row that can be used, as JSON. */
  readonly sample: string;
}

/**
 * Reads all rows once.
 * @throws Failure dataInvalid if the file, or every row, cannot be used
 */
export async function validateRows(path: string): Promise<ValidatedRows> {
  let count = 0;
  let size = 0;
  let sample: string | undefined;
  let firstProblem: string | undefined;
  for await (const row of readRows(path)) {
    count += 1;
    if ('json' in row) {
      sample ??= row.json;
      size += row.json.length;
    } else firstProblem ??= problemOfRow(row);
  }
  if (sample !== undefined) return { count, size, sample };
  throw new Failure('dataInvalid', `None of the rows can be used. ${firstProblem ?? ''}`);
}

export function problemOfRow({
  number,
  line,
  problem,
}: {
  readonly number: number;
  readonly line: number;
  readonly problem: string;
}): string {
  return `Row ${number} at line ${line}: ${problem}`;
}

/** Returns the form that the job of a row has. */
export function formOfRow(form: Form, json: string): Form {
  const replacing = rowFields(json, fieldNamed(form, 'output_name'));
  return { ...form, fields: [...fieldsWithout(form.fields, replacing), ...replacing] };
}

export function fieldNamed({ fields }: Form, name: OptionName): string | undefined {
  return fields.find((field) => field.name === name && field.value !== '')?.value;
}

/** @throws Failure valueNotAllowed, before the rows are read */
export function checkBatchForm(form: Form): void {
  const given = [...form.fields, ...form.files].map(({ name }) => name);
  const data = ['data_string', 'data_file'].find((name) => given.includes(name));
  if (data !== undefined)
    throw new Failure('valueNotAllowed', `rows are the data of the template; leave ${data} out.`);
}

/** `job`: the job of a row. @throws Failure valueNotAllowed */
export function checkRowJob({ input, options, givenOptions }: ParsedJob, merge: boolean): void {
  if (input.kind === 'url')
    throw new Failure(
      'valueNotAllowed',
      'rows fill a template, and a page at a URL is none; send the template as file or text instead of url.',
    );
  if (!merge) return;
  if (options.output_format !== 'pdf')
    throw new Failure(
      'valueNotAllowed',
      `merge=true merges PDF documents, but output_format is ${options.output_format}; leave out merge or output_format.`,
    );
  const conflicts = notMergeable.filter(
    (name) => givenOptions.has(name) && options[name] !== false && options[name] !== '',
  );
  if (conflicts.length > 0)
    throw new Failure(
      'valueNotAllowed',
      `merge=true cannot be combined with ${conflicts.join(', ')}: the merged document would not have what ${conflicts.length === 1 ? 'this option promises' : 'these options promise'}. Leave them out, or send merge=false to get one document for each row.`,
    );
}
