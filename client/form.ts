/** A request for a conversion as the form the service takes. */
import { filePart, type FileInput, type FilePart } from './file-input.ts';
import type { ConversionOptions } from './generated/options.ts';

/** Exactly one of `url`, `html`, `file` and `archive`. */
export type ConversionRequest = Input & {
  readonly options?: ConversionOptions | undefined;
  /** Ends the conversion and the reading of its output; what has not been sent whole is not charged. */
  readonly signal?: AbortSignal | undefined;
};

type Input =
  | (OnlyOne<'url', string | URL> & { readonly data?: never })
  | (OnlyOne<'html', string> & Filled)
  | (OnlyOne<'file', FileInput> & Filled)
  | (OnlyOne<'archive', FileInput> & Filled);

/** The input of that name, and no other. */
type OnlyOne<N extends InputName, T> = { readonly [K in N]: T } & {
  readonly [K in Exclude<InputName, N>]?: never;
};

type InputName = 'url' | 'html' | 'file' | 'archive';

interface Filled {
  /** Makes the HTML a template and fills it; sent as JSON. Data of another kind is an option, data_string or data_file. */
  readonly data?: unknown;
}

/** @throws TypeError for what the service could not be sent: no input, several, no file where one belongs */
export function formOf(request: ConversionRequest): FormData {
  const form = new FormData();
  addInput(form, request);
  const { data, options = {} } = request;
  if (data !== undefined) add(form, 'data_string', JSON.stringify(data));
  if (data !== undefined) add(form, 'data_format', 'json');
  for (const [name, value] of Object.entries(options) as [string, Value][]) add(form, name, value);
  return form;
}

function addInput(form: FormData, { url, html, file, archive }: ConversionRequest): void {
  const given = [url, html, file, archive].filter((input) => input !== undefined);
  if (given.length !== 1) throw new TypeError('give one of url, html, file and archive');
  if (url !== undefined) form.append('url', String(url));
  if (html !== undefined) form.append('text', html);
  if (file !== undefined) addFile(form, 'file', filePart('file', file));
  if (archive !== undefined) addFile(form, 'file', filePart('archive', archive));
}

type Value = ConversionOptions[keyof ConversionOptions] | null;

function add(form: FormData, name: string, value: Value): void {
  if (value === undefined || value === null) return;
  if (typeof value === 'object') addFile(form, name, filePart(name, value));
  else form.append(name, String(value));
}

function addFile(form: FormData, field: string, { name, blob }: FilePart): void {
  form.append(field, blob, name);
}
