/** Owns the way from the bytes of a data file to plain data. It knows no template. */
import { dictionary, isPlainObject, type PlainObject } from '../values.ts';
import type { DataFormat, TemplateOptions } from '../template.ts';
import { readCsv } from './csv.ts';
import { decoded } from './decoded.ts';
import { formatOf } from './format-of.ts';
import { readJson } from './json.ts';
import { readDataOptions, type DataOptions } from './options.ts';
import { DataProblem } from './data-problem.ts';
import { readXml } from './xml.ts';
import { readYaml } from './yaml.ts';

export interface ReadData {
  readonly data: PlainObject;
  readonly format: DataFormat;
}

/**
 * The data as one object; data without names (a list, CSV rows, a single value) is under `data`.
 * @throws DataProblem
 */
export function readData(bytes: Uint8Array, options: TemplateOptions): ReadData {
  const details = readDataOptions(options.data_options);
  const text = decoded(bytes, options.data_encoding);
  if (!/\S/.test(text)) throw new DataProblem('The data is empty.');
  const format = options.data_format === 'auto' ? formatOf(text, details) : options.data_format;
  const value = readers[format](text, details);
  return { format, data: isPlainObject(value) ? value : dictionary([[details.dataRoot, value]]) };
}

const readers: Readonly<Record<DataFormat, (text: string, options: DataOptions) => unknown>> = {
  json: readJson,
  xml: readXml,
  yaml: readYaml,
  csv: readCsv,
};
