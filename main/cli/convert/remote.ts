/** Converts with a remote Platen service over HTTP. A page with local files is sent as an archive of its folder. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Failure, fileErrorReason, isOutOfResources, messageOf } from '../../failure/failure.ts';
import { packFolder } from '../../files/pack-files.ts';
import {
  uploadName,
  type ItemConverter,
  type FailedItemResult,
  type ItemOutcome,
  type ItemTask,
} from './converter.ts';
import { toOutputProblem } from './write-output.ts';
import type { ItemForm } from './form.ts';

interface RemoteOptions {
  /** The URL of the service, without a trailing slash. */
  readonly url: string;
  /** The credentials as `user:key`. */
  readonly account: string;
  /** The folder for archives. */
  readonly folder: string;
  /** Maximum size of an archive, in bytes. */
  readonly maxUpload: number;
}

export function openRemote(options: RemoteOptions): ItemConverter {
  let archives = new Map<string, Promise<string>>();
  let wasReached = false;
  const pack = (root: string) => {
    const archive = archives.get(root) ?? packSiblingFolder(root, options);
    archives.set(root, archive);
    return archive;
  };
  return {
    async convert(task, signal) {
      const body = await buildBody(task, pack).catch(toFailedResult);
      if (!(body instanceof FormData)) return body;
      try {
        const response = await post(options, body, signal);
        wasReached ||= response.headers.has('x-service-reason-code');
        return await readOutcome(response, task, signal);
      } catch (problem) {
        signal.throwIfAborted();
        // The local disk is full. A retry would be charged too.
        if (isOutOfResources(problem)) throw toOutputProblem(task.item.output, problem);
        return unreachableResult(problem, options.url, wasReached);
      }
    },
    invalidateFiles() {
      for (const archive of archives.values()) void archive.then(removeArchive).catch(() => {});
      archives = new Map();
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Deletes an archive before the run ends, because --watch may run for days. */
function removeArchive(path: string): Promise<void> {
  return rm(path, { force: true });
}

/**
 * Packs the asset root. All files are in one top folder of the archive: the service removes a single top folder
 * (main/input/archive/tree.ts), and could otherwise remove a folder of the page.
 */
async function packSiblingFolder(root: string, { folder, maxUpload }: RemoteOptions): Promise<string> {
  const path = join(folder, `${randomUUID()}.tar`);
  await packFolder({
    from: root,
    to: path,
    maxBytes: maxUpload,
    subject: 'The folder',
    skipsHidden: true,
    prefix: 'folder',
  });
  return path;
}

async function buildBody(
  { item, form }: ItemTask,
  pack: (root: string) => Promise<string>,
): Promise<FormData> {
  const { input, siblingFolder, debugLog } = item;
  const body = new FormData();
  for (const { name, value } of form.fields) body.append(name, value);
  for (const { name, path, filename } of form.files) body.append(name, await readBlob(path), filename);
  if (debugLog !== undefined) body.append('debug_log', 'true');
  if (input.kind === 'url') {
    body.append('url', input.url.href);
    return body;
  }
  const bytes = await readBlob(input.path);
  if (siblingFolder === undefined || input.kind === 'stdin' || !(await mayReferToFiles(bytes, form))) {
    body.append('file', bytes, uploadName(input));
    return body;
  }
  const archive = await pack(siblingFolder.root);
  body.append('file', await readBlob(archive), `${basename(siblingFolder.root)}.tar`);
  body.append('zip_main_filename', siblingFolder.path);
  return body;
}

async function readBlob(path: string): Promise<Blob> {
  return new Blob([await readFile(path)]);
}

function post({ url, account }: RemoteOptions, body: FormData, signal: AbortSignal): Promise<Response> {
  const authorization = `Basic ${Buffer.from(account, 'utf8').toString('base64')}`;
  const headers = { authorization, accept: 'application/json, */*' };
  // The key must not be sent to the target of a redirect.
  return fetch(`${url}/convert/24.04/`, { method: 'POST', headers, body, signal, redirect: 'error' });
}

async function readOutcome(
  response: Response,
  { item, path }: ItemTask,
  signal: AbortSignal,
): Promise<ItemOutcome> {
  const log = response.headers.get('x-service-debug-log');
  const outcome = response.ok ? await saveOutput(response, path) : await readFailure(response);
  if (item.debugLog !== undefined && log !== null) await fetchDebugLog(log, item.debugLog, signal);
  return outcome;
}

async function saveOutput(response: Response, path: string): Promise<ItemOutcome> {
  if (response.headers.get('x-service-reason-code') !== '0' || response.body === null)
    throw new Error('the server is not a Platen service');
  const bytes = Readable.fromWeb(response.body as ReadableStream);
  const file = createWriteStream(path);
  await pipeline(bytes, file);
  const pages = response.headers.get('x-service-pages');
  return {
    kind: 'converted',
    bytes: file.bytesWritten,
    ...(pages !== null && { pages: Number(pages) }),
    noteCodes: (response.headers.get('x-service-note-codes') ?? '').split(',').filter((code) => code !== ''),
  };
}

/** Returns the failure in a response. A response from a reverse proxy has no reason code, so the status is used. */
async function readFailure(response: Response): Promise<FailedItemResult> {
  const text = (await response.text()).slice(0, 2000);
  const reason = Number(response.headers.get('x-service-reason-code') ?? response.status);
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  const retry = [429, 502, 503, 504].includes(response.status) && { retryAfter: seconds >= 0 ? seconds : 1 };
  return {
    kind: 'failed',
    status: response.status,
    reason,
    message: failureMessage(text, response),
    ...retry,
  };
}

function failureMessage(text: string, { status, statusText }: Response): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'message' in body) return String(body.message);
  } catch {
    // Not JSON.
  }
  const plain = /^\d{3}\.\d{1,3} - (.*)/s.exec(text)?.[1];
  return plain ?? `the server is not a Platen service (${status} ${statusText})`;
}

/** Saves the debug log. The conversion does not fail if the debug log cannot be fetched. */
async function fetchDebugLog(link: string, path: string, signal: AbortSignal): Promise<void> {
  try {
    const response = await fetch(`${link}.html`, { signal });
    if (response.ok) await writeFile(path, Buffer.from(await response.arrayBuffer()));
    else await response.body?.cancel();
  } catch {
    signal.throwIfAborted();
  }
}

/** Converts an error of reading the files, such as a missing file or a folder that is too large, to a result. */
function toFailedResult(problem: unknown): FailedItemResult {
  const failure =
    problem instanceof Failure
      ? problem
      : new Failure(
          'notHtml',
          `The file cannot be read: ${fileErrorReason(problem as NodeJS.ErrnoException)}.`,
        );
  const hint =
    failure.kind === 'uploadTooLarge'
      ? ' Name another folder with --root, or send no files with --no-root.'
      : '';
  return failedResult(failure, hint);
}

function failedResult({ status, reason, message }: Failure, hint = ''): FailedItemResult {
  return { kind: 'failed', status, reason, message: message + hint };
}

/** Returns the result if the service cannot be reached. A retry is allowed only if the service was reached before. */
function unreachableResult(problem: unknown, url: string, wasReached: boolean): FailedItemResult {
  const cause = problem instanceof Error ? (problem.cause ?? problem) : problem;
  // Node's fetch has timed out. This is not retried: the service may still be converting, and would charge twice.
  if (/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test((cause as NodeJS.ErrnoException).code ?? ''))
    return failedResult(new Failure('timedOut', `The service at ${url} has not responded for five minutes.`));
  const why = messageOf(cause);
  const message = `The service at ${url} cannot be reached: ${why}.`;
  return { kind: 'failed', status: 400, reason: 321, message, ...(wasReached && { retryAfter: 1 }) };
}

// Decides whether a page may refer to sibling files. A false positive uploads the folder needlessly; after a false negative,
// resources are missing.

const fileReference =
  /\b(?:src|srcset|href|poster|data|background|action|longdesc|manifest)\s*=|url\(|@import|<script|http-equiv|<\?xml|<svg/i;

/** Options that insert content into the page. Such content may also refer to files. */
const insertingOption = /^(header_html|footer_html|custom_css|custom_javascript|on_load_javascript|zip_)/;

export async function mayReferToFiles(page: Blob, { fields, files }: ItemForm): Promise<boolean> {
  if (fields.some(({ name }) => insertingOption.test(name))) return true;
  if (files.some(({ name }) => name === 'data_file')) return true;
  const text = Buffer.from(await page.arrayBuffer()).toString('latin1');
  // The expression does not match UTF-16, so text with NUL bytes counts as referring to files.
  return text.includes('\0') || fileReference.test(text);
}
