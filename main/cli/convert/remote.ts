/** Converts with a Platen service elsewhere, by HTTP. A page with files beside it goes as an archive of its folder. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Failure } from '../../failure/failure.ts';
import { hasNoRoom, whyUnusable } from '../../failure/no-room.ts';
import { packFolder } from '../../input/pack-folder.ts';
import type { Converter, Failed, Outcome, Task } from './converter.ts';
import { nameOf } from './order.ts';
import { unwritable } from './place.ts';
import { mayReferToFiles } from './references.ts';

export interface RemoteParts {
  /** Without a slash at its end. */
  readonly url: string;
  /** `user:key`. */
  readonly account: string;
  /** For archives. */
  readonly folder: string;
  /** Bytes of an archive. */
  readonly maxUpload: number;
}

export function openRemote(parts: RemoteParts): Converter {
  let archives = new Map<string, Promise<string>>();
  let wasReached = false;
  const pack = (root: string) => {
    const packed = archives.get(root) ?? packedFolder(root, parts);
    archives.set(root, packed);
    return packed;
  };
  return {
    async convert(task, signal) {
      const body = await bodyOf(task, pack).catch(unsendable);
      if (!(body instanceof FormData)) return body;
      try {
        const answer = await post(parts, body, signal);
        wasReached ||= answer.headers.has('x-service-reason-code');
        return await outcomeOf(answer, task, signal);
      } catch (problem) {
        signal.throwIfAborted();
        // The disk of this machine is full: another try would be charged for, too.
        if (hasNoRoom(problem)) throw unwritable(task.item.output, problem);
        return unreached(problem, parts.url, wasReached);
      }
    },
    changed() {
      for (const archive of archives.values()) void archive.then(remove).catch(() => {});
      archives = new Map();
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** A watch may last for days. */
function remove(path: string): Promise<void> {
  return rm(path, { force: true });
}

/** All in one folder of its own, so that the service finds the names as they are here (`archive/tree.ts` leaves out one that holds all). */
async function packedFolder(root: string, { folder, maxUpload }: RemoteParts): Promise<string> {
  const path = join(folder, `${randomUUID()}.tar`);
  await packFolder({ from: root, to: path, most: maxUpload, plain: true, into: 'folder' });
  return path;
}

async function bodyOf({ item, form }: Task, pack: (root: string) => Promise<string>): Promise<FormData> {
  const { input, beside, debugLog } = item;
  const body = new FormData();
  for (const { name, value } of form.fields) body.append(name, value);
  for (const { name, path, filename } of form.files) body.append(name, await fileOf(path), filename);
  if (debugLog !== undefined) body.append('debug_log', 'true');
  if (input.kind === 'url') {
    body.append('url', input.url.href);
    return body;
  }
  const bytes = await fileOf(input.path);
  if (beside === undefined || input.kind === 'stdin' || !(await mayReferToFiles(bytes, form))) {
    body.append('file', bytes, nameOf(input));
    return body;
  }
  const archive = await pack(beside.root);
  body.append('file', await fileOf(archive), `${basename(beside.root)}.tar`);
  body.append('zip_main_filename', beside.path);
  return body;
}

async function fileOf(path: string): Promise<Blob> {
  return new Blob([await readFile(path)]);
}

function post({ url, account }: RemoteParts, body: FormData, signal: AbortSignal): Promise<Response> {
  const authorization = `Basic ${Buffer.from(account, 'utf8').toString('base64')}`;
  const headers = { authorization, accept: 'application/json, */*' };
  // Whoever it leads to is not who gets the key.
  return fetch(`${url}/convert/24.04/`, { method: 'POST', headers, body, signal, redirect: 'error' });
}

async function outcomeOf(answer: Response, { item, path }: Task, signal: AbortSignal): Promise<Outcome> {
  const log = answer.headers.get('x-service-debug-log');
  const outcome = answer.ok ? await received(answer, path) : await refused(answer);
  if (item.debugLog !== undefined && log !== null) await fetchDebugLog(log, item.debugLog, signal);
  return outcome;
}

async function received(answer: Response, path: string): Promise<Outcome> {
  if (answer.headers.get('x-service-reason-code') !== '0' || answer.body === null)
    throw new Error('what answers is no Platen service');
  const bytes = Readable.fromWeb(answer.body as ReadableStream);
  const file = createWriteStream(path);
  await pipeline(bytes, file);
  const pages = answer.headers.get('x-service-pages');
  return { kind: 'converted', bytes: file.bytesWritten, ...(pages !== null && { pages: Number(pages) }) };
}

/** A proxy before the service may answer too, as it likes. */
async function refused(answer: Response): Promise<Failed> {
  const text = (await answer.text()).slice(0, 2000);
  const reason = Number(answer.headers.get('x-service-reason-code') ?? answer.status);
  const seconds = Number(answer.headers.get('retry-after') ?? NaN);
  const again = [429, 502, 503, 504].includes(answer.status) && { retryAfter: seconds >= 0 ? seconds : 1 };
  return { kind: 'failed', status: answer.status, reason, message: sentenceIn(text, answer), ...again };
}

function sentenceIn(text: string, { status, statusText }: Response): string {
  try {
    const said: unknown = JSON.parse(text);
    if (typeof said === 'object' && said !== null && 'message' in said) return String(said.message);
  } catch {
    // It is no JSON.
  }
  const plain = /^\d{3}\.\d{1,3} - (.*)/s.exec(text)?.[1];
  return plain ?? `what answers is no Platen service (${status} ${statusText})`;
}

/** A log that cannot be had costs the log, never the output. */
async function fetchDebugLog(link: string, path: string, signal: AbortSignal): Promise<void> {
  try {
    const answer = await fetch(`${link}.html`, { signal });
    if (answer.ok) await writeFile(path, Buffer.from(await answer.arrayBuffer()));
    else await answer.body?.cancel();
  } catch {
    signal.throwIfAborted();
  }
}

/** A file that has gone since it was found, or a folder that is too large. */
function unsendable(problem: unknown): Failed {
  const failure =
    problem instanceof Failure
      ? problem
      : new Failure('notHtml', `It cannot be read: ${whyUnusable(problem as NodeJS.ErrnoException)}.`);
  const hint = failure.kind === 'uploadTooLarge' ? ' --root names another, and --no-root leaves it out.' : '';
  return failedBy(failure, hint);
}

function failedBy({ status, reason, message }: Failure, hint = ''): Failed {
  return { kind: 'failed', status, reason, message: message + hint };
}

/** Who has answered once may do so again. */
function unreached(problem: unknown, url: string, wasReached: boolean): Failed {
  const cause = problem instanceof Error ? (problem.cause ?? problem) : problem;
  // Node's fetch waits no longer; the service may still be at it, and would charge for another try.
  if (/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test((cause as NodeJS.ErrnoException).code ?? ''))
    return failedBy(new Failure('timedOut', `The service at ${url} has said nothing for five minutes.`));
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `The service at ${url} cannot be reached: ${why}.`;
  return { kind: 'failed', status: 400, reason: 321, message, ...(wasReached && { retryAfter: 1 }) };
}
