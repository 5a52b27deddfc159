/** The request as the code generators need it: URL, credentials, strings, files and the output name. Pure functions. */
import { fileName } from '../../../main/job/option-kinds.ts';
import type { RunForm } from '../../bridge/bridge.ts';

export interface CodeRequest {
  readonly address: string;
  readonly account: string;
  readonly key: string;
  readonly texts: readonly CodeText[];
  readonly files: readonly { readonly name: string; readonly file: string }[];
  /** Name of the output file. */
  readonly output: string;
}

export interface CodeText {
  readonly name: string;
  readonly value: string;
  /** The file from which the program reads the value. If absent, the code contains the value. */
  readonly file?: string;
}

interface CodeCallInput {
  readonly form: RunForm;
  /** Name of the picked file, if the input is a file on disk. */
  readonly diskFileName?: string | undefined;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly account: string;
  readonly key: string;
}

export function codeRequestOf({ form, diskFileName, baseUrl, account, key }: CodeCallInput): CodeRequest {
  const uploads = form.files.map(({ name, file }) => ({ name, file: file.name }));
  const onDisk = form.picked && { name: form.picked.name, file: diskFileName ?? form.picked.name };
  return {
    address: `${baseUrl}/convert/24.04/`,
    account,
    key,
    // A lone surrogate has no UTF-8 encoding.
    texts: form.fields.map(([name, value]) => textOf(name, value.toWellFormed())),
    files: onDisk === undefined ? uploads : [...uploads, onDisk],
    output: outputOf(new Map(form.fields)),
  };
}

/**
 * In bytes. The program reads longer values from a file. Linux allows 128 kB for one argument of a program (MAX_ARG_STRLEN), Java
 * 64 kB for one string (JVMS 4.4.7).
 */
const maxInlineBytes = 32_000;

function textOf(name: string, value: string): CodeText {
  const fits = new TextEncoder().encode(value).length <= maxInlineBytes && !value.includes('\0');
  return fits ? { name, value } : { name, value, file: fileOf(name) };
}

function fileOf(name: string): string {
  if (name === 'text') return 'page.html';
  const ending = { html: 'html', css: 'css', javascript: 'js' }[/(?<![a-z])[a-z]+$/.exec(name)?.[0] ?? ''];
  return `${name}.${ending ?? 'txt'}`;
}

/**
 * Returns the name of the output file. A leading dash gets the prefix `./`, because many programs would read the name as an option.
 */
function outputOf(fields: ReadonlyMap<string, string>): string {
  const format = fields.get('output_format') ?? 'pdf';
  const defaultName = format === 'pdf' ? 'document.pdf' : `image.${format}`;
  return (fileName.read(fields.get('output_name') ?? '') ?? defaultName).replace(/^-/, './-');
}
