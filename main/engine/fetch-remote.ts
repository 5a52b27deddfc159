/** Fetches what an option names by its address, through the session of a window: behind the network guard, as the page is. */
import { Failure } from '../failure/failure.ts';
import type { WindowRun } from './engine.ts';
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

/** @throws Failure addressRefused, pageNotLoaded, tooComplex; the signal's reason */
export async function fetchRemote(window: EngineWindow, wanted: Wanted, run: WindowRun): Promise<Fetched> {
  const { option, url, mostBytes } = wanted;
  const response = await window.seat.session
    .fetch(url.href, { signal: run.signal, credentials: 'include', headers: authorization(window, url) })
    .catch((cause: unknown) => {
      run.signal.throwIfAborted();
      throw notFetched(window, wanted, cause);
    });
  // The guard answers what it refuses itself.
  if (wasRefused(window, url)) throw notFetched(window, wanted, undefined);
  if (!response.ok) {
    const sentence = `The address of ${option} was answered with status ${response.status}.`;
    throw new Failure('pageNotLoaded', sentence);
  }
  const bytes = await bodyOf(response, mostBytes);
  if (bytes === undefined) {
    throw new Failure('tooComplex', `What ${option} names is larger than ${mostBytes / 1e6} MB.`);
  }
  return { bytes, contentType: response.headers.get('content-type') ?? '', url: response.url || url.href };
}

/** Electron asks nobody for the password of a request that is no page's. */
function authorization({ seat }: EngineWindow, url: URL): Record<string, string> {
  const credentials = seat.requests.credentialsFor(url.href);
  if (credentials === undefined) return {};
  const { username, password } = credentials;
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** Undefined when it is longer than allowed. */
async function bodyOf(response: Response, most: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function notFetched(window: EngineWindow, { option, url }: Wanted, cause: unknown): Failure {
  if (wasRefused(window, url)) {
    const sentence = `The network policy does not allow the address of ${option} to be loaded.`;
    return new Failure('addressRefused', sentence, { cause });
  }
  const sentence = `The address of ${option} could not be loaded: its name was not found, or it did not answer.`;
  return new Failure('pageNotLoaded', sentence, { cause });
}

function wasRefused(window: EngineWindow, { hostname }: URL): boolean {
  const wanted = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return window.seat.guard.refusals().some(({ host }) => host === wanted);
}
