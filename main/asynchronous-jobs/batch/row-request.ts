/** What the job of a row adds to the form of its batch: the data of the row, and a file name that may contain it. */
import { fileName } from '../../job/option-kinds.ts';
import type { ReceivedField } from '../../job/read-fields.ts';

/** A place for the value of a field in output_name: `{{number}}`. */
const placeholder = /\{\{([^{}]+)\}\}/g;

/** Returns whether the file names of the rows differ. */
export function hasPlaceholder(outputName: string | undefined): outputName is string {
  return outputName !== undefined && outputName.search(placeholder) !== -1;
}

/** Returns the fields that replace those of the batch. `json`: the data of the row, an object. */
export function rowFields(json: string, outputName: string | undefined): ReceivedField[] {
  const fields = [
    { name: 'data_string', value: json },
    { name: 'data_format', value: 'json' },
  ];
  if (!hasPlaceholder(outputName)) return fields;
  const filled = filledName(outputName, JSON.parse(json) as Readonly<Record<string, unknown>>);
  return filled === undefined ? fields : [...fields, { name: 'output_name', value: filled }];
}

/** A file name is no longer than this, and may contain a field hundreds of times. */
const maxValueLength = 180;

/** Returns undefined if no name is left. */
function filledName(outputName: string, data: Readonly<Record<string, unknown>>): string | undefined {
  const filled = outputName.replace(placeholder, (_whole, content: string) => {
    const name = content.trim();
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    return typeof value === 'string' || typeof value === 'number'
      ? String(value).slice(0, maxValueLength)
      : '';
  });
  return /^\s*(\.[^.]*)?$/.test(filled) ? undefined : fileName.read(filled);
}

/** Returns the fields of the batch without those that the rows replace, and without a file name with placeholders. */
export function fieldsWithout(
  fields: readonly ReceivedField[],
  replaced: readonly ReceivedField[],
): ReceivedField[] {
  return fields.filter(
    ({ name, value }) =>
      !replaced.some((field) => field.name === name) && !(name === 'output_name' && hasPlaceholder(value)),
  );
}
