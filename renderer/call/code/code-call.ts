/** The call as every programming language tells it: where, whose, which texts and files, and where the output goes. Pure. */
import { fileName } from '../../../main/job/image-formats.ts';
import type { RunForm } from '../../bridge/bridge.ts';

export interface CodeCall {
  readonly address: string;
  readonly account: string;
  readonly key: string;
  readonly texts: readonly CodeText[];
  readonly files: readonly { readonly name: string; readonly file: string }[];
  /** The name of the file that is written. */
  readonly output: string;
}

export interface CodeText {
  readonly name: string;
  readonly value: string;
  /** The file beside the program that the value is read from; absent: it stands in the program. */
  readonly from?: string;
}

export interface CallFacts {
  readonly form: RunForm;
  /** The name of the file on the disk that the form has chosen. */
  readonly chosen?: string | undefined;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly account: string;
  readonly key: string;
}

export function codeCallOf({ form, chosen, baseUrl, account, key }: CallFacts): CodeCall {
  const uploads = form.files.map(({ name, file }) => ({ name, file: file.name }));
  const onDisk = form.chosen && { name: form.chosen.name, file: chosen ?? form.chosen.name };
  return {
    address: `${baseUrl}/convert/24.04/`,
    account,
    key,
    // A half of a surrogate pair has no UTF-8.
    texts: form.fields.map(([name, value]) => textOf(name, value.toWellFormed())),
    files: onDisk === undefined ? uploads : [...uploads, onDisk],
    output: outputOf(new Map(form.fields)),
  };
}

/** Bytes. Linux takes 128 kB in one argument of a program (MAX_ARG_STRLEN), Java 64 kB in one string (JVMS 4.4.7). */
const longestInline = 32_000;

function textOf(name: string, value: string): CodeText {
  const fits = new TextEncoder().encode(value).length <= longestInline && !value.includes('\0');
  return fits ? { name, value } : { name, value, from: fileOf(name) };
}

function fileOf(name: string): string {
  if (name === 'text') return 'page.html';
  const ending = { html: 'html', css: 'css', javascript: 'js' }[/[a-z]+$/.exec(name)?.[0] ?? ''];
  return `${name}.${ending ?? 'txt'}`;
}

/** A name that begins with a dash would be an option to many a program. */
function outputOf(fields: ReadonlyMap<string, string>): string {
  const format = fields.get('output_format') ?? 'pdf';
  const usual = format === 'pdf' ? 'document.pdf' : `image.${format}`;
  return (fileName.read(fields.get('output_name') ?? '') ?? usual).replace(/^-/, './-');
}
