/** Fetches what an option names by its address, through the session of a window: behind the network guard, as the page is. */
import { net, type ClientRequest, type IncomingMessage } from 'electron';
import { Failure } from '../failure/failure.ts';
import { unlessAborted } from '../signals.ts';
import type { WindowRun } from './engine.ts';
import { limitsReached, tooMuch } from './limits-reached.ts';
import type { EngineWindow } from './window.ts';

export interface Fetched {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** After redirects. */
  readonly url: string;
}

export interface Wanted {
  /** The option's wire name, for messages. */
  readonly option: string;
  readonly url: URL;
  readonly mostBytes: number;
}

const mostRedirects = 20;

/** @throws Failure addressRefused, pageNotLoaded, tooComplex; the signal's reason */
export async function fetchRemote(window: EngineWindow, wanted: Wanted, run: WindowRun): Promise<Fetched> {
  const before = window.seat.guard.refusals().length;
  const wasRefused = () => window.seat.guard.refusals().length > before;
  try {
    let { url } = wanted;
    for (let hops = 0; hops <= mostRedirects; hops += 1) {
      const answer = await ask(window, { ...wanted, url }, { signal: run.signal, wasRefused });
      if (!('redirect' in answer)) return answer;
      url = answer.redirect;
    }
    throw new Error('redirected too often');
  } catch (problem) {
    if (problem instanceof Failure || run.signal.aborted) throw problem;
    if (limitsReached(window.seat).length > 0)
      throw new Failure('tooComplex', tooMuch(`What ${wanted.option} names`), { cause: problem });
    throw notFetched(wanted, problem, wasRefused());
  }
}

interface Asking {
  readonly signal: AbortSignal;
  readonly wasRefused: () => boolean;
}

/**
 * One request. A redirect is a request of its own: followed by Electron, it would take along the headers that were for this
 * address only, and lead to files too.
 */
async function ask(
  window: EngineWindow,
  wanted: Wanted,
  { signal, wasRefused }: Asking,
): Promise<Fetched | { readonly redirect: URL }> {
  const { url } = wanted;
  const request = openRequest(window, url);
  const answered = new Promise<Fetched | { readonly redirect: URL }>((resolve, reject) => {
    request.on('redirect', (_status, _method, target) => {
      if (/^https?:/i.test(target) && URL.canParse(target)) resolve({ redirect: new URL(target) });
      else reject(new Error('redirected to what is no web address'));
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const type = response.headers['content-type'];
      const contentType = typeof type === 'string' ? type : (type?.[0] ?? '');
      readAnswer(response, wanted, wasRefused).then((bytes) => {
        resolve({ bytes, contentType, url: url.href });
      }, reject);
    });
    request.end();
  });
  try {
    return await unlessAborted(signal, answered);
  } finally {
    request.abort();
  }
}

/** As the page itself would ask. */
function openRequest({ seat, emulated }: EngineWindow, url: URL): ClientRequest {
  const request = net.request({
    ...{ session: seat.session, url: url.href, useSessionCookies: true, redirect: 'manual' },
  });
  const { userAgent, languages } = emulated.identity ?? {};
  if (userAgent !== undefined) request.setHeader('User-Agent', userAgent);
  if (languages !== undefined) request.setHeader('Accept-Language', languages);
  request.on('login', (challenge, answer) => {
    const credentials = seat.requests.answerTo({ url: url.href, ...challenge });
    if (credentials === undefined) answer();
    else answer(credentials.username, credentials.password);
  });
  return request;
}

async function readAnswer(
  response: IncomingMessage,
  { option, mostBytes }: Wanted,
  wasRefused: () => boolean,
): Promise<Buffer> {
  // The guard answers what it refuses itself.
  if (wasRefused() && response.statusCode >= 400) throw new Error('refused');
  if (response.statusCode >= 400) {
    const sentence = `The address of ${option} was answered with status ${response.statusCode}.`;
    throw new Failure('pageNotLoaded', sentence);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > mostBytes)
        reject(new Failure('tooComplex', `What ${option} names is larger than ${mostBytes / 1e6} MB.`));
    });
    response.on('end', () => {
      resolve(Buffer.concat(chunks));
    });
    response.on('error', reject);
    response.on('aborted', () => {
      reject(new Error('the answer was cut short'));
    });
  });
}

/** A refusal since the request began is the request's, or that of a redirect. */
function notFetched({ option }: Wanted, cause: unknown, wasRefused: boolean): Failure {
  if (wasRefused) {
    const sentence = `The network policy does not allow the address of ${option} to be loaded.`;
    return new Failure('addressRefused', sentence, { cause });
  }
  const sentence = `The address of ${option} could not be loaded: its name was not found, or it did not answer.`;
  return new Failure('pageNotLoaded', sentence, { cause });
}
