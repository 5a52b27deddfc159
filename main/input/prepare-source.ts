/** Turns a job's input into a Source: unpacks archives, finds the document, and fills templates with data. */
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nextTurn } from '../async/yielding.ts';
import { Failure, outOfResources, shortened } from '../failure/failure.ts';
import { maxHeaderFooterLength, type StoredText, type Upload } from '../job/option-kinds.ts';
import type { Options } from '../job/options.ts';
import { isImage, type Run } from '../job/job.ts';
import { unpackArchive, chooseMain } from './archive/unpack-archive.ts';
import type { ArchiveLimits } from './archive/limits.ts';
import { recogniseArchive } from './archive/recognition.ts';
import { folderFiles, decodePath, insideOf, type FolderReadOptions } from './folder-files.ts';
import { staticDocumentText, mayRunScripts } from './static-document.ts';
import type { PreparedDocument, Source, Files, HeaderFooterSource, HeaderFooterSources } from './source.ts';
import { contentTypeOf, htmlText } from './html-text.ts';
import { fillTemplate, defaultLimits } from './template/fill-template.ts';
import type { HeaderFooterSide } from '../job/paper.ts';
import type { UnpackedArchive } from './archive/tree.ts';

/** @throws Failure notHtml, archiveUnusable, dataInvalid, valueNotAllowed; the signal's reason */
export async function prepareSource(run: Run, limits: ArchiveLimits): Promise<Source> {
  const { input, options } = run.job;
  if (input.kind === 'url') {
    return { kind: 'remote', url: input.url, scripts: true, headerFooter: await prepareHeaderFooter(run) };
  }
  const draft =
    input.kind === 'text' ? await draftOfText(input.html) : await draftOfFile(run, input.upload, limits);
  const filled = hasData(options) ? await fillWithData(draft, run) : draft;
  const { archive, ...document } = filled;
  const headerFooter = await prepareHeaderFooter(run, archive);
  const scripts = mayDocumentRunScripts(filled, options) || headerFooterMayRunScripts(headerFooter);
  const staticText = staticDocumentText(document, scripts);
  return {
    kind: 'document',
    ...document,
    scripts,
    headerFooter,
    ...(staticText !== undefined && { staticText }),
  };
}

async function draftOfText(html: string | StoredText): Promise<PreparedDocument> {
  const bytes = typeof html === 'string' ? Buffer.from(html, 'utf8') : await readFile(html.path);
  if (typeof html === 'string' ? !/\S/.test(html) : await isBlank(bytes))
    throw new Failure('notHtml', 'The parameter text is empty; send an HTML document in it.');
  return { bytes, contentType: 'text/html; charset=utf-8', path: 'index.html' };
}

async function draftOfFile(run: Run, upload: Upload, limits: ArchiveLimits): Promise<PreparedDocument> {
  if (recogniseArchive(await headOf(upload.path)) !== undefined) return draftOfArchive(run, upload, limits);
  if (run.job.options.zip_main_filename !== undefined) {
    run.log.note('zip_main_filename was ignored, because the file is not an archive.', {
      code: 'option-without-effect',
      options: ['zip_main_filename'],
    });
  }
  const bytes = await readFile(upload.path);
  await refuseOtherFileTypes(bytes, upload.name);
  const { default_encoding } = run.job.options;
  const contentType = documentTypeOf(bytes, upload.name, default_encoding);
  return { bytes, contentType, path: 'index.html', ...siblingFilesOf(upload, default_encoding) };
}

/**
 * Returns the files below `siblingFolder`, which the page may load. Only documents given as a local path (command line,
 * hot folder) have one.
 */
function siblingFilesOf(
  { siblingFolder }: Upload,
  fallback: string | undefined,
): Pick<PreparedDocument, 'path' | 'files' | 'unreadableFile'> | undefined {
  if (siblingFolder === undefined) return undefined;
  const unreadable = new AbortController();
  const onOutOfResources = (cause: unknown) => {
    unreadable.abort(outOfResources(cause));
  };
  const files = siblingFiles(siblingFolder.root, { fallback, onOutOfResources });
  return { path: siblingFolder.path, files, unreadableFile: unreadable.signal };
}

async function draftOfArchive(run: Run, upload: Upload, limits: ArchiveLimits): Promise<PreparedDocument> {
  const folder = join(run.folder.path(), 'archive');
  await mkdir(folder, { mode: 0o700 });
  const unpacked = await unpackArchive({ path: upload.path, folder, limits, signal: run.signal });
  const { default_encoding, zip_main_filename } = run.job.options;
  const { main, note } = await chooseMain(unpacked, zip_main_filename);
  if (note !== undefined) run.log.note(note, { code: 'main-file-chosen', options: ['zip_main_filename'] });
  const bytes = await readFile(join(unpacked.root, ...main.split('/')));
  await refuseOtherFileTypes(bytes, main);
  const unreadable = new AbortController();
  const noted = new Set<string>();
  const files = folderFiles(unpacked, {
    fallback: default_encoding,
    onLegacyName(name, encoding) {
      if (noted.has(encoding)) return;
      noted.add(encoding);
      run.log.note(
        `The archive does not say in which encoding its file names are; '${shortened(name)}' was found as ${encoding}. Pack the files with a program that writes UTF-8.`,
        { code: 'wrong-encoding', options: [] },
      );
    },
    onSimilarNames(name, similar) {
      run.log.writeAndKeep({ kind: 'missing-file', text: name, detail: { similar } });
    },
    onOutOfResources: (cause) => {
      unreadable.abort(outOfResources(cause));
    },
  });
  const contentType = documentTypeOf(bytes, main, default_encoding);
  return { bytes, contentType, path: main, files, unreadableFile: unreadable.signal, archive: unpacked };
}

async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
  return buffer.subarray(0, bytesRead);
}

/** Returns whether a script of the document, or a script that the caller sent, may run. */
function mayDocumentRunScripts({ bytes, contentType }: PreparedDocument, options: Options): boolean {
  const { on_load_javascript, custom_javascript } = options;
  const hasCallerScript = on_load_javascript !== undefined || custom_javascript !== undefined;
  return hasCallerScript || !contentType.startsWith('text/') || mayRunScripts(bytes);
}

const scannedBytes = 65_536;

/**
 * Returns the Content-Type with which to serve the file. Detects the type from the content; only XHTML is recognised by `name`,
 * to distinguish it from HTML that begins like XML. `fallback` is the character set of a file that declares none.
 */
export function documentTypeOf(bytes: Buffer, name: string, fallback?: string): string {
  const html = contentTypeOf(bytes, fallback);
  const start = bytes.toString('latin1', 0, scannedBytes).replace(/^(\xef\xbb\xbf)?\s*/, '');
  if (/^<svg[\s>]/i.test(withoutProlog(start))) return 'image/svg+xml';
  if (/\.(xhtml|xht)$/i.test(name) && /^<(\?xml|!doctype|html)/i.test(start)) return 'application/xhtml+xml';
  // Neither a tag nor UTF-16: plain text.
  if (!/<[a-z!?/]/i.test(start) && !start.includes('\0')) return html.replace('text/html', 'text/plain');
  return html;
}

/** Returns the text after its XML declaration, comments and document type. Reads one of these at a time, in linear time. */
function withoutProlog(text: string): string {
  const prologPart = /\s+|<\?xml[^>]*>|<!--.*?-->|<!doctype svg[^>]*>/isy;
  let end = 0;
  while (prologPart.test(text)) end = prologPart.lastIndex;
  return text.slice(end);
}

/**
 * Returns a function that serves the sibling files of a local document as a web server would: regular files below `root`, no
 * hidden files, no links that lead out of `root`. `root` is an absolute path and not the root of a file system.
 */
export function siblingFiles(root: string, options: FolderReadOptions = {}): Files {
  const openFile = insideOf(root, { ...options, allowsLinks: true });
  return (path) => {
    const segments = decodePath(path).split('/');
    return segments.every(isAllowedSegment) ? openFile(segments.join('/')) : Promise.resolve(undefined);
  };
}

/**
 * Returns false for `..` and for hidden files, which may contain keys and passwords. On Windows also returns false for alternate
 * data streams, drives, backslashes, and names that end with a dot or a blank.
 */
function isAllowedSegment(segment: string): boolean {
  return /^[^.\0][^\0]*$/.test(segment) && !(process.platform === 'win32' && /[\\:]|[. ]$/.test(segment));
}

/** Returns whether the request contains data. Without data, a document is never treated as a template. */
function hasData({ data_file, data_string }: Options): boolean {
  return data_file !== undefined || data_string !== undefined;
}

/** The main thread decodes a template in one step. */
const maxTemplateBytes = 10_000_000;

/** Returns the document with its template filled from the request's data. @throws Failure dataInvalid; the signal's reason */
async function fillWithData(draft: PreparedDocument, { job, log, signal }: Run): Promise<PreparedDocument> {
  const { input, options } = job;
  if (draft.bytes.length > maxTemplateBytes) {
    const size = `${draft.bytes.length} bytes; the limit of a template is ${maxTemplateBytes / 1e6} MB`;
    throw new Failure('dataInvalid', `The document has ${size}. Move images and data out of it.`);
  }
  const { html, notes } = await fillTemplate({
    template: draft.bytes,
    // The field `text` is always UTF-8.
    fallbackCharset: input.kind === 'file' ? options.default_encoding : undefined,
    data: await dataOf(options),
    options: templateOptions(options),
    limits: defaultLimits,
    signal,
    scriptFile: join(import.meta.dirname, 'template-worker.cjs'),
  });
  notes.forEach((note) => {
    log.note(note, {
      code: 'template-filled',
      options: ['template_engine', 'data_format', 'data_ignore_undefined'],
    });
  });
  const contentType = `${draft.contentType.split(';')[0] ?? 'text/html'}; charset=utf-8`;
  return { ...draft, bytes: html, contentType };
}

/** Returns the bytes of the data. data_encoding applies only to data_file: data_string is a form field, so it is always UTF-8. */
async function dataOf({ data_file, data_string }: Options): Promise<Buffer> {
  if (data_file !== undefined) return readFile(data_file.path);
  return typeof data_string === 'object'
    ? readFile(data_string.path)
    : Buffer.from(data_string ?? '', 'utf8');
}

function templateOptions(options: Options) {
  const { data_auto_escape, data_options, data_file } = options;
  return {
    template_engine: options.template_engine,
    data_format: options.data_format,
    data_ignore_undefined: options.data_ignore_undefined,
    data_trim_blocks: options.data_trim_blocks,
    locale: options.locale,
    data_variable_markers: options.data_variable_markers,
    data_encoding: data_file === undefined ? 'utf-8' : options.data_encoding,
    ...(data_auto_escape !== undefined && { data_auto_escape }),
    ...(data_options !== undefined && { data_options }),
  };
}

// Finds the HTML of headers and footers: in the request, in the archive, or at a URL that is loaded later.

/**
 * Returns the sources of the header and the footer.
 * @throws Failure archiveUnusable for a name that is not in the archive; valueNotAllowed for a name without an archive
 */
async function prepareHeaderFooter(run: Run, archive?: UnpackedArchive): Promise<HeaderFooterSources> {
  if (isImage(run.job.options)) return {};
  const [header, footer] = await Promise.all([
    prepareSide(run, 'header', archive),
    prepareSide(run, 'footer', archive),
  ]);
  return { ...(header && { header }), ...(footer && { footer }) };
}

/** The maximum size of a header or a footer in a file. The same number as for header_html: it is decoded and searched in one step. */
export const maxHeaderFooterBytes = maxHeaderFooterLength;

/** Returns whether a header or footer may run scripts. Always true for a URL, because its HTML is loaded later. */
function headerFooterMayRunScripts(sources: HeaderFooterSources): boolean {
  return Object.values(sources).some((source) => source.kind === 'remote' || source.scripts);
}

async function prepareSide(
  { job: { options } }: Run,
  side: HeaderFooterSide,
  archive: UnpackedArchive | undefined,
): Promise<HeaderFooterSource | undefined> {
  const html = options[`${side}_html`];
  if (html !== undefined) return { kind: 'html', html, ...factsOf(html) };
  const url = options[`${side}_url`];
  if (url !== undefined) return { kind: 'remote', url };
  const name = options[`zip_${side}_filename`];
  if (name === undefined) return undefined;
  const file = { option: `zip_${side}_filename`, name, fallback: options.default_encoding };
  if (archive !== undefined) return fromArchive(archive, file);
  const message = `zip_${side}_filename needs an archive, but no archive was sent; send one, or use ${side}_html.`;
  throw new Failure('valueNotAllowed', message);
}

function factsOf(html: string): Pick<HtmlHeaderFooter, 'scripts' | 'isStatic'> {
  const draft = { bytes: Buffer.from(html, 'utf8'), contentType: 'text/html; charset=utf-8' };
  const scripts = mayRunScripts(draft.bytes);
  return { scripts, ...(staticDocumentText(draft, scripts) !== undefined && { isStatic: true }) };
}

type HtmlHeaderFooter = Extract<HeaderFooterSource, { kind: 'html' }>;

interface ArchiveFile {
  readonly option: string;
  readonly name: string;
  readonly fallback: string | undefined;
}

async function fromArchive(
  archive: UnpackedArchive,
  { option, name, fallback }: ArchiveFile,
): Promise<HeaderFooterSource> {
  const normalizedName = name.replaceAll('\\', '/').replace(/^(\.?\/)+/, '');
  const path = archive.entries.find((entry) => entry === normalizedName);
  if (path === undefined) {
    throw new Failure(
      'archiveUnusable',
      `The archive does not contain the file '${shortened(name)}' of ${option}; correct the name.`,
    );
  }
  const file = join(archive.root, ...path.split('/'));
  if ((await stat(file)).size > maxHeaderFooterBytes) {
    throw new Failure(
      'archiveUnusable',
      `The file '${shortened(name)}' of ${option} is larger than ${maxHeaderFooterBytes / 1e6} MB; make it smaller.`,
    );
  }
  const html = htmlText(await readFile(file), { fallback });
  return { kind: 'html', html, path, scripts: factsOf(html).scripts };
}

// Refuses uploads that are not HTML. Detects common file types by their first bytes, so that the message names the type.

const signatures: readonly (readonly [start: string, type: string])[] = [
  ['%PDF-', 'a PDF document'],
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['RIFF', 'a WebP image or other RIFF file'],
  ['BM', 'a bitmap image'],
  ['PK\x03\x04', 'a zip archive'],
  ['PK\x05\x06', 'an empty zip archive'],
  ['\x1f\x8b', 'a gzip archive'],
  ['BZh', 'a bzip2 archive'],
  ['7z\xbc\xaf', 'a 7-Zip archive'],
  ['Rar!', 'a RAR archive'],
  ['\xd0\xcf\x11\xe0', 'an old Microsoft Office document'],
  ['\x7fELF', 'a program'],
  ['MZ', 'a program'],
];

/** @throws Failure notHtml for a file that is empty or not HTML */
export async function refuseOtherFileTypes(bytes: Buffer, name: string): Promise<void> {
  if (await isBlank(bytes)) {
    throw new Failure('notHtml', `The file '${name}' is empty; send an HTML document.`);
  }
  const start = bytes.toString('latin1', 0, 8);
  const type = signatures.find(([signature]) => start.startsWith(signature) && isBinary(bytes))?.[1];
  if (type !== undefined) throw notHtml(name, type);
  if (isBinary(bytes) && !isUtf16(bytes)) throw notHtml(name, 'a binary file');
}

/** Returns true if the bytes are only whitespace and byte order marks, also in UTF-16 (with zero bytes). */
export async function isBlank(bytes: Buffer): Promise<boolean> {
  let end = firstBytes;
  for (let from = 0; from < bytes.length; from = end, end += chunkBytes) {
    if (/[^\x00\t\n\f\r \xef\xbb\xbf\xfe\xff]/.test(bytes.toString('latin1', from, end))) return false;
    await nextTurn();
  }
  return true;
}

/** Number of bytes checked first, which is enough for almost every document. */
const firstBytes = 4096;
/** Number of further bytes checked before the event loop continues with other requests. */
const chunkBytes = 1_000_000;

/**
 * Returns whether the file is a PDF or contains control characters that HTML does not contain. For example, text that starts
 * with "BM" is not taken for a bitmap image.
 */
function isBinary(bytes: Buffer): boolean {
  return (
    bytes.toString('latin1', 0, 5) === '%PDF-' ||
    /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(bytes.toString('latin1', 0, 4096))
  );
}

/** Returns true for a byte order mark, or `<` next to a zero byte: the file may be HTML in UTF-16. */
function isUtf16(bytes: Buffer): boolean {
  return /^(\xff\xfe|\xfe\xff|\s?\x3c\x00|\x00\s?\x3c)/.test(bytes.toString('latin1', 0, 4));
}

function notHtml(name: string, type: string): Failure {
  return new Failure('notHtml', `The file '${name}' is ${type}, not HTML; send an HTML document.`);
}
