/** Input -> Source. It knows what people upload; it knows no window. */
import { readFile } from 'node:fs/promises';
import { Failure } from '../failure/failure.ts';
import type { Job } from '../job/job.ts';
import type { Options } from '../job/options.ts';
import { contentTypeOf } from './charset.ts';
import { refuseForeign } from './foreign.ts';
import { mayRunScripts } from './scripts.ts';
import type { Source } from './source.ts';

/**
 * Makes the job's input loadable.
 * @throws Failure notHtml
 */
export async function prepareSource({ input, options }: Job): Promise<Source> {
  switch (input.kind) {
    case 'url':
      return { kind: 'remote', url: input.url, scripts: true };
    case 'file': {
      const bytes = await readFile(input.upload.path);
      refuseForeign(bytes, input.upload.name);
      return documentOf(bytes, contentTypeOf(bytes), options);
    }
    case 'text': {
      const bytes = Buffer.from(input.html, 'utf8');
      if (!/\S/.test(input.html)) throw new Failure('notHtml', 'The HTML in text is empty.');
      return documentOf(bytes, 'text/html; charset=utf-8', options);
    }
  }
}

function documentOf(bytes: Buffer<ArrayBuffer>, contentType: string, { custom_javascript }: Options): Source {
  // A script of the caller's may add scripts to the page, which must run then.
  const scripts = custom_javascript !== undefined || mayRunScripts(bytes);
  return { kind: 'document', bytes, contentType, scripts, path: 'index.html' };
}
