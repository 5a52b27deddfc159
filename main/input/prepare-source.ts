/** Input -> Source: finds the document, unpacks what surrounds it, fills it with data. It knows no window. */
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, noRoom } from '../failure/failure.ts';
import type { StoredText, Upload } from '../job/option-kinds.ts';
import type { Options } from '../job/options.ts';
import type { Run } from '../run.ts';
import type { Extracted } from './archive/extracted.ts';
import { extractArchive } from './archive/extraction.ts';
import type { ArchiveLimits } from './archive/limits.ts';
import { chooseMain } from './archive/main-file.ts';
import { recogniseArchive } from './archive/recognition.ts';
import { documentTypeOf } from './document-type.ts';
import { fillWithData, hasData } from './fill-with-data.ts';
import { filesBeside } from './files-beside.ts';
import { folderFiles } from './folder-files.ts';
import { isBlank, refuseForeign } from './foreign.ts';
import { inertText } from './inert.ts';
import { prepareStrips, stripsRunScripts } from './prepare-strips.ts';
import { mayRunScripts } from './scripts.ts';
import type { Files, Source } from './source.ts';

/** A document on its way to a window. */
export interface Draft {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly contentType: string;
  readonly path: string;
  readonly files?: Files;
  readonly unread?: AbortSignal;
  /** What it was unpacked from. */
  readonly archive?: Extracted;
}

/**
 * Makes the job's input loadable.
 * @throws Failure notHtml, archiveUnusable, templateInvalid; the signal's reason
 */
export async function prepareSource(run: Run, limits: ArchiveLimits): Promise<Source> {
  const { input, options } = run.job;
  if (input.kind === 'url') {
    return { kind: 'remote', url: input.url, scripts: true, strips: await prepareStrips(run) };
  }
  const draft =
    input.kind === 'text' ? await draftOfText(input.html) : await draftOfFile(run, input.upload, limits);
  const filled = hasData(options) ? await fillWithData(draft, run) : draft;
  const { archive, ...document } = filled;
  const strips = await prepareStrips(run, archive);
  const scripts = runsScripts(filled, options) || stripsRunScripts(strips);
  const text = inertText(document, scripts);
  return { kind: 'document', ...document, scripts, strips, ...(text !== undefined && { text }) };
}

async function draftOfText(html: string | StoredText): Promise<Draft> {
  const bytes = typeof html === 'string' ? Buffer.from(html, 'utf8') : await readFile(html.path);
  if (typeof html === 'string' ? !/\S/.test(html) : await isBlank(bytes))
    throw new Failure('notHtml', 'The HTML in text is empty.');
  return { bytes, contentType: 'text/html; charset=utf-8', path: 'index.html' };
}

async function draftOfFile(run: Run, upload: Upload, limits: ArchiveLimits): Promise<Draft> {
  if (recogniseArchive(await headOf(upload.path)) !== undefined) return draftOfArchive(run, upload, limits);
  if (run.job.options.zip_main_filename !== undefined) {
    run.log.note('zip_main_filename was ignored, because the file is no archive.', {
      code: 'option-without-effect',
      options: ['zip_main_filename'],
    });
  }
  const bytes = await readFile(upload.path);
  await refuseForeign(bytes, upload.name);
  const { default_encoding } = run.job.options;
  const contentType = documentTypeOf(bytes, upload.name, default_encoding);
  return { bytes, contentType, path: 'index.html', ...besides(upload, default_encoding) };
}

/** What a page on this machine may load besides itself. */
function besides(
  { beside }: Upload,
  fallback: string | undefined,
): Pick<Draft, 'path' | 'files' | 'unread'> | undefined {
  if (beside === undefined) return undefined;
  const unread = new AbortController();
  const onNoRoom = (cause: unknown) => {
    unread.abort(noRoom(cause));
  };
  const files = filesBeside(beside.root, { fallback, onNoRoom });
  return { path: beside.path, files, unread: unread.signal };
}

async function draftOfArchive(run: Run, upload: Upload, limits: ArchiveLimits): Promise<Draft> {
  const folder = join(run.folder, 'archive');
  await mkdir(folder, { mode: 0o700 });
  const extracted = await extractArchive({ path: upload.path, folder, limits, signal: run.signal });
  const { default_encoding, zip_main_filename } = run.job.options;
  const { main, note } = chooseMain(extracted, zip_main_filename);
  if (note !== undefined) run.log.note(note, { code: 'main-file-chosen', options: ['zip_main_filename'] });
  const bytes = await readFile(join(extracted.root, ...main.split('/')));
  await refuseForeign(bytes, main);
  const unread = new AbortController();
  const files = folderFiles(extracted, {
    fallback: default_encoding,
    onNoRoom: (cause) => {
      unread.abort(noRoom(cause));
    },
  });
  const contentType = documentTypeOf(bytes, main, default_encoding);
  return { bytes, contentType, path: main, files, unread: unread.signal, archive: extracted };
}

async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
  return buffer.subarray(0, bytesRead);
}

/** A script of the caller's may add scripts to the page, which must run then. */
function runsScripts({ bytes, contentType }: Draft, options: Options): boolean {
  const { on_load_javascript, custom_javascript } = options;
  const scripted = on_load_javascript !== undefined || custom_javascript !== undefined;
  return scripted || !contentType.startsWith('text/') || mayRunScripts(bytes);
}
