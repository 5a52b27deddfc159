/**
 * Fetches the file at the address in an option. The request uses the window's session, so it passes through the network guard like
 * the page's requests.
 */
import { net, type ClientRequest, type IncomingMessage } from 'electron';
import { Failure } from '../../failure/failure.ts';
import { webAddressIn } from '../../fields/parsed-url.ts';
import { unlessAborted } from '../../async/signals.ts';
import type { WindowRun } from '../window-run.ts';
import { limitsReached, limitMessage } from '../window/browser-context.ts';
import { reasonForError } from './load-failures.ts';
import { isUnsafePort, unsafePortMessage } from './request-rules.ts';
import type { EngineWindow } from '../window/engine-window.ts';

interface FetchedFile {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** The address after redirects. */
  readonly url: string;
}

interface RemoteFile {
  /** The option's name in the API, for messages. */
  readonly option: string;
  readonly url: URL;
  readonly maxBytes: number;
}

const maxRedirects = 20;

/**
 * Fetches the file, following up to 20 redirects.
 * @throws Failure addressRefused, pageNotLoaded, tooComplex; the signal's reason
 */
export async function fetchRemote(
  window: EngineWindow,
  file: RemoteFile,
  run: WindowRun,
): Promise<FetchedFile> {
  window.context.requests.open();
  const refusalsBefore = window.context.guard.refusals().length;
  const wasRefused = () => window.context.guard.refusals().length > refusalsBefore;
  try {
    let { url } = file;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const result = await fetchOnce(window, { ...file, url }, { signal: run.signal, wasRefused });
      if (!('redirect' in result)) return result;
      url = result.redirect;
    }
    throw new Error('ERR_TOO_MANY_REDIRECTS');
  } catch (problem) {
    if (problem instanceof Failure || run.signal.aborted) throw problem;
    if (limitsReached(window.context).length > 0)
      throw new Failure('tooComplex', limitMessage(`The file of ${file.option}`), { cause: problem });
    throw failureFor(file, problem, wasRefused());
  }
}

interface FetchContext {
  readonly signal: AbortSignal;
  readonly wasRefused: () => boolean;
}

/**
 * Sends one request and returns the file, or the target of a redirect. Electron must not follow redirects: it would send this
 * address's headers to the target, and would follow redirects to local files.
 */
async function fetchOnce(
  window: EngineWindow,
  file: RemoteFile,
  { signal, wasRefused }: FetchContext,
): Promise<FetchedFile | { readonly redirect: URL }> {
  const { url } = file;
  const request = openRequest(window, url);
  const result = new Promise<FetchedFile | { readonly redirect: URL }>((resolve, reject) => {
    request.on('redirect', (_status, _method, target) => {
      const redirect = webAddressIn(target);
      if (redirect !== undefined) resolve({ redirect });
      else reject(new Error('redirected to an address that is not http or https'));
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const type = response.headers['content-type'];
      const contentType = typeof type === 'string' ? type : (type?.[0] ?? '');
      readBody(response, file, wasRefused).then((bytes) => {
        resolve({ bytes, contentType, url: url.href });
      }, reject);
    });
    request.end();
  });
  try {
    return await unlessAborted(signal, result);
  } finally {
    request.abort();
  }
}

/** Opens a request with the identity and credentials of the page. */
function openRequest({ context, emulation }: EngineWindow, url: URL): ClientRequest {
  const request = net.request({
    session: context.session,
    url: url.href,
    useSessionCookies: true,
    redirect: 'manual',
  });
  const { userAgent, languages } = emulation.identity ?? {};
  if (userAgent !== undefined) request.setHeader('User-Agent', userAgent);
  if (languages !== undefined) request.setHeader('Accept-Language', languages);
  request.on('login', (challenge, answer) => {
    const credentials = context.requests.credentialsFor({ url: url.href, ...challenge });
    if (credentials === undefined) answer();
    else answer(credentials.username, credentials.password);
  });
  return request;
}

async function readBody(
  response: IncomingMessage,
  { option, maxBytes }: RemoteFile,
  wasRefused: () => boolean,
): Promise<Buffer> {
  // The network guard answers refused requests with an error status.
  if (wasRefused() && response.statusCode >= 400) throw new Error('refused');
  if (response.statusCode >= 400) {
    const message = `The address of ${option} was answered with status ${response.statusCode}. Send the address of a file that its server delivers.`;
    throw new Failure('pageNotLoaded', message);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > maxBytes)
        reject(new Failure('tooComplex', `The file of ${option} is larger than ${maxBytes / 1e6} MB.`));
    });
    response.on('end', () => {
      resolve(Buffer.concat(chunks));
    });
    response.on('error', reject);
    response.on('aborted', () => {
      reject(new Error('the response was cut off'));
    });
  });
}

/** Returns the Failure of a failed fetch. `wasRefused`: the network guard has refused an address since the request began. */
function failureFor({ option }: RemoteFile, cause: unknown, wasRefused: boolean): Failure {
  if (wasRefused) {
    const message = `The network policy does not allow the address of ${option} to be loaded.`;
    return new Failure('addressRefused', message, { cause });
  }
  if (isUnsafePort(String(cause))) return new Failure('addressRefused', unsafePortMessage(option), { cause });
  const message = `The address of ${option} could not be loaded: ${reasonForError(String(cause))}`;
  return new Failure('pageNotLoaded', message, { cause });
}
