/** Builds the form data of a conversion request. */
import { filePart, type FileInput, type FilePart } from './file-input.ts';
import type { ConversionOptions } from './generated/options.ts';

/** A request with exactly one of `url`, `html`, `file` and `archive`. */
export type ConversionRequest = ConversionInput & {
  readonly options?: ConversionOptions | undefined;
  /** Aborts the conversion, or the download of its output. An output that was not sent completely is not charged. */
  readonly signal?: AbortSignal | undefined;
};

type ConversionInput =
  | (OnlyOne<'url', string | URL> & { readonly data?: never })
  | (OnlyOne<'html', string> & WithData)
  | (OnlyOne<'file', FileInput> & WithData)
  | (OnlyOne<'archive', FileInput> & WithData);

/** An object that has the input property `N` and none of the other input properties. */
type OnlyOne<N extends InputName, T> = { readonly [K in N]: T } & {
  readonly [K in Exclude<InputName, N>]?: never;
};

type InputName = 'url' | 'html' | 'file' | 'archive';

interface WithData {
  /**
   * Template data; the service then treats the HTML as a template. Sent as JSON. For other data formats, use the option data_string
   * or data_file.
   */
  readonly data?: unknown;
}

/**
 * Returns the form data of a request. @throws TypeError for an invalid request: no input, several inputs, or a value that is not a
 * file
 */
export function formDataOf(request: ConversionRequest): FormData {
  const form = new FormData();
  addInput(form, request);
  const { data, options = {} } = request;
  if (data !== undefined) add(form, 'data_string', JSON.stringify(data));
  if (data !== undefined) add(form, 'data_format', 'json');
  for (const [name, value] of Object.entries(options) as [string, Value][]) add(form, name, value);
  return form;
}

function addInput(form: FormData, { url, html, file, archive }: ConversionRequest): void {
  const inputs = [url, html, file, archive].filter((input) => input !== undefined);
  if (inputs.length !== 1) throw new TypeError('give exactly one of url, html, file and archive');
  if (url !== undefined) form.append('url', String(url));
  if (html !== undefined) form.append('text', html);
  if (file !== undefined) addFile(form, 'file', filePart('file', file));
  if (archive !== undefined) addFile(form, 'file', filePart('archive', archive));
}

type Value = ConversionOptions[keyof ConversionOptions] | null;

function add(form: FormData, name: string, value: Value): void {
  if (value === undefined || value === null) return;
  // The values of an option that may be repeated. An empty field keeps the places of the others.
  if (Array.isArray(value)) for (const element of value as readonly Value[]) add(form, name, element ?? '');
  else if (typeof value === 'object') addFile(form, name, filePart(name, value));
  else form.append(name, String(value));
}

function addFile(form: FormData, field: string, { name, blob }: FilePart): void {
  form.append(field, blob, name);
}
