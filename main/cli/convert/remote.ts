/** Converts with a remote Platen service by HTTP. A page with local files is sent as an archive of its folder. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Failure } from '../../failure/failure.ts';
import { isOutOfResources, fileErrorReason } from '../../failure/no-room.ts';
import { packFolder } from '../../input/folder-files.ts';
import { nameOf, type Converter, type Failed, type Outcome, type Task } from './converter.ts';
import { toOutputProblem } from './place.ts';
import type { Form } from './form.ts';
import { messageOf } from '../../failure/message-of.ts';

interface RemoteOptions {
  /** Without a trailing slash. */
  readonly url: string;
  /** `user:key`. */
  readonly account: string;
  /** Folder for archives. */
  readonly folder: string;
  /** Limit of an archive, in bytes. */
  readonly maxUpload: number;
}

export function openRemote(options: RemoteOptions): Converter {
  let archives = new Map<string, Promise<string>>();
  let wasReached = false;
  const pack = (root: string) => {
    const packed = archives.get(root) ?? packAssetRoot(root, options);
    archives.set(root, packed);
    return packed;
  };
  return {
    async convert(task, signal) {
      const body = await bodyOf(task, pack).catch(toFailed);
      if (!(body instanceof FormData)) return body;
      try {
        const answer = await post(options, body, signal);
        wasReached ||= answer.headers.has('x-service-reason-code');
        return await outcomeOf(answer, task, signal);
      } catch (problem) {
        signal.throwIfAborted();
        // The local disk is full; a retry would be charged too.
        if (isOutOfResources(problem)) throw toOutputProblem(task.item.output, problem);
        return unreachableFailure(problem, options.url, wasReached);
      }
    },
    invalidateFiles() {
      for (const archive of archives.values()) void archive.then(remove).catch(() => {});
      archives = new Map();
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Removes an archive early, because --watch may run for days. */
function remove(path: string): Promise<void> {
  return rm(path, { force: true });
}

/**
 * Packs everything into one folder of the archive, so that names in it are kept (`archive/tree.ts` strips a single
 * top folder).
 */
async function packAssetRoot(root: string, { folder, maxUpload }: RemoteOptions): Promise<string> {
  const path = join(folder, `${randomUUID()}.tar`);
  await packFolder({ from: root, to: path, most: maxUpload, plain: true, into: 'folder' });
  return path;
}

async function bodyOf({ item, form }: Task, pack: (root: string) => Promise<string>): Promise<FormData> {
  const { input, assetRoot, debugLog } = item;
  const body = new FormData();
  for (const { name, value } of form.fields) body.append(name, value);
  for (const { name, path, filename } of form.files) body.append(name, await fileOf(path), filename);
  if (debugLog !== undefined) body.append('debug_log', 'true');
  if (input.kind === 'url') {
    body.append('url', input.url.href);
    return body;
  }
  const bytes = await fileOf(input.path);
  if (assetRoot === undefined || input.kind === 'stdin' || !(await mayReferToFiles(bytes, form))) {
    body.append('file', bytes, nameOf(input));
    return body;
  }
  const archive = await pack(assetRoot.root);
  body.append('file', await fileOf(archive), `${basename(assetRoot.root)}.tar`);
  body.append('zip_main_filename', assetRoot.path);
  return body;
}

async function fileOf(path: string): Promise<Blob> {
  return new Blob([await readFile(path)]);
}

function post({ url, account }: RemoteOptions, body: FormData, signal: AbortSignal): Promise<Response> {
  const authorization = `Basic ${Buffer.from(account, 'utf8').toString('base64')}`;
  const headers = { authorization, accept: 'application/json, */*' };
  // A redirect target must not get the key.
  return fetch(`${url}/convert/24.04/`, { method: 'POST', headers, body, signal, redirect: 'error' });
}

async function outcomeOf(answer: Response, { item, path }: Task, signal: AbortSignal): Promise<Outcome> {
  const log = answer.headers.get('x-service-debug-log');
  const outcome = answer.ok ? await saveOutput(answer, path) : await readFailure(answer);
  if (item.debugLog !== undefined && log !== null) await fetchDebugLog(log, item.debugLog, signal);
  return outcome;
}

async function saveOutput(answer: Response, path: string): Promise<Outcome> {
  if (answer.headers.get('x-service-reason-code') !== '0' || answer.body === null)
    throw new Error('the server is not a Platen service');
  const bytes = Readable.fromWeb(answer.body as ReadableStream);
  const file = createWriteStream(path);
  await pipeline(bytes, file);
  const pages = answer.headers.get('x-service-pages');
  return { kind: 'converted', bytes: file.bytesWritten, ...(pages !== null && { pages: Number(pages) }) };
}

/** Reads a failure; a reverse proxy may send other responses. */
async function readFailure(answer: Response): Promise<Failed> {
  const text = (await answer.text()).slice(0, 2000);
  const reason = Number(answer.headers.get('x-service-reason-code') ?? answer.status);
  const seconds = Number(answer.headers.get('retry-after') ?? NaN);
  const retry = [429, 502, 503, 504].includes(answer.status) && { retryAfter: seconds >= 0 ? seconds : 1 };
  return { kind: 'failed', status: answer.status, reason, message: messageIn(text, answer), ...retry };
}

function messageIn(text: string, { status, statusText }: Response): string {
  try {
    const said: unknown = JSON.parse(text);
    if (typeof said === 'object' && said !== null && 'message' in said) return String(said.message);
  } catch {
    // Not JSON.
  }
  const plain = /^\d{3}\.\d{1,3} - (.*)/s.exec(text)?.[1];
  return plain ?? `the server is not a Platen service (${status} ${statusText})`;
}

/** A missing debug log does not fail the conversion. */
async function fetchDebugLog(link: string, path: string, signal: AbortSignal): Promise<void> {
  try {
    const answer = await fetch(`${link}.html`, { signal });
    if (answer.ok) await writeFile(path, Buffer.from(await answer.arrayBuffer()));
    else await answer.body?.cancel();
  } catch {
    signal.throwIfAborted();
  }
}

/** For a file that was removed meanwhile, or a folder that is too large. */
function toFailed(problem: unknown): Failed {
  const failure =
    problem instanceof Failure
      ? problem
      : new Failure('notHtml', `It cannot be read: ${fileErrorReason(problem as NodeJS.ErrnoException)}.`);
  const hint =
    failure.kind === 'uploadTooLarge'
      ? ' Name another folder with --root, or send no files with --no-root.'
      : '';
  return failedWith(failure, hint);
}

function failedWith({ status, reason, message }: Failure, hint = ''): Failed {
  return { kind: 'failed', status, reason, message: message + hint };
}

/** A service that was reachable before may be so again. */
function unreachableFailure(problem: unknown, url: string, wasReached: boolean): Failed {
  const cause = problem instanceof Error ? (problem.cause ?? problem) : problem;
  // Node's fetch has timed out. The service may still be converting and would charge for a retry.
  if (/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test((cause as NodeJS.ErrnoException).code ?? ''))
    return failedWith(new Failure('timedOut', `The service at ${url} has not responded for five minutes.`));
  const why = messageOf(cause);
  const message = `The service at ${url} cannot be reached: ${why}.`;
  return { kind: 'failed', status: 400, reason: 321, message, ...(wasReached && { retryAfter: 1 }) };
}

// Decides whether a page could load files beside it. A wrong yes costs an upload; a wrong no, an image.

const fileReference =
  /\b(?:src|srcset|href|poster|data|background|action|longdesc|manifest)\s*=|url\(|@import|<script|http-equiv|<\?xml|<svg/i;

/** Options that insert content into the page, which may refer to files as well. */
const insertingOption = /^(header_html|footer_html|custom_css|custom_javascript|on_load_javascript|zip_)/;

export async function mayReferToFiles(page: Blob, { fields, files }: Form): Promise<boolean> {
  if (fields.some(({ name }) => insertingOption.test(name))) return true;
  if (files.some(({ name }) => name === 'data_file')) return true;
  const text = Buffer.from(await page.arrayBuffer()).toString('latin1');
  // In UTF-16 the expression finds nothing, so the answer is yes.
  return text.includes('\0') || fileReference.test(text);
}
