/** Fills a draft with the data of the request. A document without data is never treated as a template. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Options } from '../job/options.ts';
import type { Run } from '../run.ts';
import type { Draft } from './prepare-source.ts';
import { fillTemplate } from './template/fill-template.ts';
import { defaultLimits } from './template/template.ts';
import { htmlText } from './html-text.ts';

export function hasData({ data_file, data_string }: Options): boolean {
  return data_file !== undefined || data_string !== undefined;
}

/** @throws Failure templateInvalid; the signal's reason */
export async function fillWithData(draft: Draft, { job, log, signal }: Run): Promise<Draft> {
  const { input, options } = job;
  // A field is UTF-8 already.
  const fallback = input.kind === 'file' ? options.default_encoding : undefined;
  const { html, notes } = await fillTemplate({
    template: htmlText(draft.bytes, { fallback }),
    data: await dataOf(options),
    options: templateOptions(options),
    limits: defaultLimits,
    signal,
    workerFile: join(import.meta.dirname, 'template-worker.cjs'),
  });
  notes.forEach((note) => {
    log.note(note, {
      code: 'template-filled',
      options: ['template_engine', 'data_format', 'data_ignore_undefined'],
    });
  });
  const contentType = `${draft.contentType.split(';')[0] ?? 'text/html'}; charset=utf-8`;
  return { ...draft, bytes: Buffer.from(html, 'utf8'), contentType };
}

/** data_string is a field, so it is UTF-8 already, whatever data_encoding says of a file. */
async function dataOf({ data_file, data_string }: Options): Promise<Buffer> {
  if (data_file !== undefined) return readFile(data_file.path);
  return typeof data_string === 'object'
    ? readFile(data_string.path)
    : Buffer.from(data_string ?? '', 'utf8');
}

function templateOptions(options: Options) {
  const { template_engine, data_format, data_ignore_undefined, data_trim_blocks, locale } = options;
  const { data_auto_escape, data_options, data_file, data_variable_markers } = options;
  return {
    ...{ template_engine, data_format, data_ignore_undefined, data_trim_blocks, locale },
    data_variable_markers,
    data_encoding: data_file === undefined ? 'utf-8' : options.data_encoding,
    ...(data_auto_escape !== undefined && { data_auto_escape }),
    ...(data_options !== undefined && { data_options }),
  };
}
