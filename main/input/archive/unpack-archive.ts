/** Unpacks an uploaded archive into a job's folder, in a subprocess that can be killed at any time. */
import { join } from 'node:path';
import {
  SubprocessExitError,
  runInSubprocess,
  type SubprocessTask,
} from '../../subprocess/run-in-subprocess.ts';
import { yieldingToEventLoop } from '../../async/yielding.ts';
import { normalized } from '../../fields/normalized.ts';
import { freeBytesOf } from '../../files/free-bytes.ts';
import { foldedName } from '../../fields/normalized.ts';
import { legacyNames } from './legacy-names.ts';
import type { UnpackedArchive } from './tree.ts';
import { refusal, quotedName, type ArchiveLimits } from './limits.ts';
import type { UnpackTask } from './unpack.ts';
import type { UnpackAnswer } from './worker.ts';

interface UnpackRequest {
  /** The uploaded file. */
  readonly path: string;
  /** An existing, empty folder of the job. The caller removes the folder, also after a failure. */
  readonly folder: string;
  readonly limits: ArchiveLimits;
  readonly signal: AbortSignal;
  /** The script of the subprocess. Default: archive-worker.cjs next to the compiled service. */
  readonly scriptFile?: string;
}

/**
 * Unpacks an archive into `folder`. When the returned promise settles, the subprocess has ended and no longer writes.
 * @throws Failure archiveUnusable; the signal's reason if it is aborted; Error for other problems, such as a full disk.
 */
export async function unpackArchive(request: UnpackRequest): Promise<UnpackedArchive> {
  const limits = await withinFreeDisk(request.limits, request.folder);
  try {
    const { json } = await runInSubprocess(taskOf({ ...request, limits }), request.signal);
    return readAnswer(json as UnpackAnswer);
  } catch (problem) {
    throw problem instanceof SubprocessExitError && problem.outOfMemory ? outOfMemory(problem) : problem;
  }
}

/** Each archive may use half of the free space, so that archives of many waiting jobs do not fill the disk. */
async function withinFreeDisk(limits: ArchiveLimits, folder: string): Promise<ArchiveLimits> {
  const halfOfFree = ((await freeBytesOf(folder)) ?? Infinity) / 2;
  return halfOfFree < limits.unpackedBytes
    ? { ...limits, unpackedBytes: halfOfFree, isDiskShort: true }
    : limits;
}

/** Heap limit of the subprocess, in bytes. Buffers are not part of the heap; the upload limit bounds their size. */
const heapBytes = 128_000_000;

function taskOf({ path, folder, limits, scriptFile }: UnpackRequest): SubprocessTask {
  const task: UnpackTask = { path, folder, limits };
  const program = scriptFile ?? join(import.meta.dirname, 'archive-worker.cjs');
  const createTimeoutError = () => timedOut(limits);
  return {
    program,
    heapBytes,
    keepsSpare: true,
    timeoutMs: limits.timeoutMs,
    createTimeoutError,
    json: task,
    bytes: new Uint8Array(),
  };
}

function readAnswer(answer: UnpackAnswer): UnpackedArchive {
  switch (answer.kind) {
    case 'unpacked':
      return answer.unpacked;
    case 'refused':
      throw refusal(answer.sentence, answer.cause);
    case 'fault':
      throw Object.assign(new Error('The archive could not be unpacked.', { cause: answer.stack }), {
        code: answer.code,
      });
  }
}

function outOfMemory(cause: SubprocessExitError): Error {
  const message = 'The archive needs too much memory to unpack; pack the files again, or send fewer files.';
  return refusal(message, cause);
}

function timedOut({ timeoutMs }: ArchiveLimits): Error {
  return refusal(`The archive takes longer than ${timeoutMs / 1000} s to unpack; send a smaller one.`);
}

// Chooses which HTML file of an archive to convert.

export interface MainFile {
  /** The path of the HTML file, one of the archive's entries. */
  readonly main: string;
  /** A message for the debug log, if the choice was ambiguous. */
  readonly note?: string;
}

/**
 * Returns the HTML file to convert: the one named by zip_main_filename, else index.html or the first HTML file in the top folder, else
 * the only HTML file or the only index.html of all subfolders.
 * @param zip_main_filename The option's value, which may name a file in a subfolder.
 * @throws Failure archiveUnusable if there is no such file, or if subfolders have several.
 */
export async function chooseMain(
  archive: Pick<UnpackedArchive, 'entries' | 'rawNames'>,
  zip_main_filename?: string,
): Promise<MainFile> {
  const { entries } = archive;
  if (zip_main_filename !== undefined) return { main: await findNamed(archive, zip_main_filename) };
  const pages = entries.filter(isHtml);
  const [first, ...others] = pages.filter((entry) => !entry.includes('/'));
  if (first === undefined) return chooseInSubfolders(pages);
  if (others.length === 0) return { main: first };
  const index = [first, ...others].find(isIndex);
  if (index !== undefined) return { main: index };
  const note = `The archive has ${others.length + 1} HTML files in its top folder and no index.html; ${quotedName(first)}, the first one, was converted. To convert another, use zip_main_filename.`;
  return { main: first, note };
}

function chooseInSubfolders(pages: readonly string[]): MainFile {
  const [first, ...others] = pages;
  if (first !== undefined && others.length === 0) return { main: first };
  const [main, ...otherIndexes] = pages.filter(isIndex);
  if (main === undefined) throw noTopLevelHtml(pages);
  if (otherIndexes.length > 0) throw noTopLevelHtml([main, ...otherIndexes]);
  const note = `The archive has no HTML file in its top folder; ${quotedName(main)}, the only index.html of its ${pages.length} HTML files, was converted. To convert another, use zip_main_filename.`;
  return { main, note };
}

function isIndex(entry: string): boolean {
  return /(^|\/)index\.html?$/i.test(entry);
}

function isHtml(entry: string): boolean {
  return /\.(html?|xhtml|xht)$/i.test(entry);
}

/** Returns the entry with this name. Prefers an exact match, else ignores case, as Windows does. @throws Failure archiveUnusable */
async function findNamed(
  archive: Pick<UnpackedArchive, 'entries' | 'rawNames'>,
  mainFileName: string,
): Promise<string> {
  const { entries } = archive;
  const path = normalized(mainFileName.replaceAll('\\', '/').replace(/^(\.?\/)+/, ''));
  if (entries.includes(path)) return path;
  const folded = foldedName(path);
  let similar: string | undefined;
  for await (const entry of yieldingToEventLoop(entries)) {
    if (foldedName(entry) !== folded) continue;
    if (normalized(entry) === path) return entry;
    similar ??= entry;
  }
  similar ??= (await legacyNames(archive)(path))?.entry;
  if (similar !== undefined) return similar;
  const isFolder = path !== '' && entries.some((entry) => entry.startsWith(`${path.replace(/\/$/, '')}/`));
  const problem = isFolder ? 'is a folder in the archive, not a file' : 'is not in the archive';
  throw refusal(`zip_main_filename ${quotedName(mainFileName)} ${problem}; ${candidates(entries)}.`);
}

const maxCandidates = 5;

function candidates(entries: readonly string[]): string {
  const pages = entries.filter(isHtml);
  if (pages.length === 0) return 'the archive contains no HTML file';
  return `its HTML files are ${list(pages)}`;
}

function noTopLevelHtml(pages: readonly string[]): Error {
  if (pages.length === 0) return refusal('The archive contains no HTML file; add one to its top folder.');
  return refusal(
    `The archive has several HTML files and none in its top folder; name one with zip_main_filename. Its subfolders contain ${list(pages)}.`,
  );
}

function list(pages: readonly string[]): string {
  const more = pages.length > maxCandidates ? ` and ${pages.length - maxCandidates} more` : '';
  return pages.slice(0, maxCandidates).map(quotedName).join(', ') + more;
}
