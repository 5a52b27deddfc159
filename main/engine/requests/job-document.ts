/**
 * Serves a job's document to its window under the scheme `platen:`, never `file:`. All documents have the same origin, so that a
 * window keeps its renderer. Each document has its own folder with a random name, so requests for an earlier document are refused.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { protocol, type CustomScheme, type OnBeforeRequestListenerDetails, type Session } from 'electron';
import { ConcurrencyLimiter } from '../../async/concurrency-limiter.ts';
import type { Files, Source, StoredFile } from '../../input/source.ts';
import {
  serveScheme,
  streamOf,
  type SchemeRequest,
  type SchemeResponse,
} from '../window/electron-adapter.ts';
import { blankPage, isEmptyPage, inlineDocumentPage, jobAddressPrefix as origin } from './shown-address.ts';

export { blankPage, inlineDocumentPage as openPage } from './shown-address.ts';

const scheme = 'platen';

/**
 * A secure context gives a document the features of https pages (`crypto.subtle`, caches, worklets). Chromium blocks mixed content
 * only in https documents, so images and scripts from plain http still load.
 */
const privileges = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  corsEnabled: true,
  stream: true,
  allowServiceWorkers: true,
};

/** Registers the scheme together with `others`, because Electron accepts only one such call. Call this before Electron is ready. */
export function registerSchemes(...others: readonly CustomScheme[]): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges }, ...others]);
}

type DocumentSource = Extract<Source, { kind: 'document' }>;

export interface JobDocument {
  /** Serves this document until the next `serve` or `withdraw`, and returns its address. */
  readonly serve: (source: DocumentSource) => string;
  readonly withdraw: () => void;
  /** Returns the bytes of the files that were served for this document, without the document itself. */
  readonly servedBytes: () => number;
  /** Must be called when a frame begins to navigate to another document, before its requests. */
  readonly noteNavigation: (frame: RequestingFrame, url: string) => void;
  /**
   * Must be called before each request that Electron reports. Returns how to change the request: undefined leaves it unchanged;
   * otherwise it is cancelled, or redirected into the document's folder.
   */
  readonly guardFiles: (
    request: FrameRequest,
  ) => { readonly cancel: true } | { readonly redirectURL: string } | undefined;
}

/** Prevents inline documents from loading or running anything, even if input/static-document.ts accepts a document by mistake. */
const openPagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";

const openPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': openPagePolicy,
};

/** Blocks scripts in documents without scripts, even if the document has scripts that input/static-document.ts did not find. */
const scriptlessPolicy = "script-src 'none'; object-src 'none'; frame-src 'none'; child-src 'none'";

export function openJobDocument(session: Session): JobDocument {
  let served: ServedDocument | undefined;
  let servedBytes = 0;
  /** Whether files are served only below the document's folder, whose random name other sites cannot guess. */
  let isRestricted = false;
  const foreignFrames = new ForeignFrames();
  serveScheme(session.protocol, scheme, async ({ url, headers }) => {
    if (isRootServiceWorker(url, headers)) return notFound;
    if (url === blankPage) return emptyPage({ 'content-type': 'text/html' });
    if (url === inlineDocumentPage) return emptyPage(openPageHeaders);
    if (served === undefined) return notFound;
    return (await respond({ ...served, isRestricted }, url.split(/[?#]/)[0] ?? '')) ?? notFound;
  });
  return {
    serve(source) {
      const folder = `${origin}${randomUUID()}/`;
      const address = folder + source.path.split('/').map(encodeURIComponent).join('/');
      servedBytes = 0;
      const { files } = source;
      const openFile = files && limitOpenFiles(files, (bytes) => (servedBytes += bytes));
      served = { folder, address, source, ...(openFile && { openFile }) };
      return address;
    },
    withdraw() {
      served = undefined;
      isRestricted = false;
      foreignFrames.clear();
    },
    servedBytes: () => servedBytes,
    noteNavigation(frame, url) {
      foreignFrames.note(frame, url);
      // Electron does not report the requests of workers, so from now on no file is served without the name of the folder.
      if (isForeign(url)) isRestricted = true;
    },
    guardFiles({ url, resourceType, frame }) {
      if (!isRestricted || served === undefined || isEmptyPage(url) || !url.startsWith(origin))
        return undefined;
      if (url.startsWith(served.folder)) return undefined;
      // A request that loads a document into a frame is safe: other sites cannot read that document.
      if (!documentTypes.has(resourceType) && foreignFrames.contain(frame)) return { cancel: true };
      return { redirectURL: served.folder + url.slice(origin.length) };
    },
  };
}

/** A request of a frame, as Electron's webRequest describes it. */
type FrameRequest = Pick<OnBeforeRequestListenerDetails, 'url' | 'resourceType' | 'frame'>;

/** Null or undefined if the frame no longer exists. */
type RequestingFrame = FrameRequest['frame'];

function isForeign(url: string): boolean {
  return /^https?:/.test(url);
}

/** Resource types that can contain a document. */
const documentTypes: ReadonlySet<string> = new Set(['mainFrame', 'subFrame', 'object']);

/**
 * The frames that show a page of another site. They are refused the document's files, because Chromium does not check CORS for custom
 * schemes. Such a site cannot guess the document's folder, but a root-relative address (`/data.json`) does not contain the folder.
 */
class ForeignFrames {
  /**
   * The frames whose last navigation leads to another site. Until Chromium has reported that the page is committed, the frame still
   * has the previous page's origin, although scripts of the new page may already run.
   */
  readonly #navigated = new Set<number>();

  /** Notes that a frame begins to navigate to this address. */
  note(frame: RequestingFrame, url: string): void {
    const id = idOf(frame);
    if (id === undefined) return;
    if (isForeign(url)) this.#navigated.add(id);
    else this.#navigated.delete(id);
  }

  /**
   * Returns true if the frame or one of its ancestors shows or loads a page of another site, or if the frame does not exist. A frame
   * with an opaque origin belongs to the site of its ancestors.
   */
  contain(frame: RequestingFrame): boolean {
    try {
      for (let ancestor = frame ?? null; ancestor !== null; ancestor = ancestor.parent)
        if (this.#navigated.has(ancestor.frameTreeNodeId) || isForeign(ancestor.origin)) return true;
      return frame === undefined || frame === null;
    } catch {
      // The frame no longer exists.
      return true;
    }
  }

  clear(): void {
    this.#navigated.clear();
  }
}

/** Returns the frame's number, which stays the same when the frame shows another page. Returns undefined if it no longer exists. */
function idOf(frame: RequestingFrame): number | undefined {
  try {
    return frame?.frameTreeNodeId;
  } catch {
    return undefined;
  }
}

const notFound: SchemeResponse = { status: 404, headers: {}, body: Buffer.alloc(0) };

function emptyPage(headers: SchemeResponse['headers']): SchemeResponse {
  return { status: 200, headers, body: Buffer.alloc(0) };
}

/**
 * Returns whether this is a request for the script of a service worker outside the document's folder (Service Workers, 4.1). Such a
 * worker could answer requests for the window's empty pages, which other jobs visit. A worker inside the folder answers only
 * requests below the folder, whose name is never reused.
 */
function isRootServiceWorker(url: string, headers: SchemeRequest['headers']): boolean {
  const name = Object.keys(headers).find((header) => header.toLowerCase() === 'service-worker');
  return (
    name !== undefined && headers[name] === 'script' && !/^[\da-f-]{36}\//.test(url.slice(origin.length))
  );
}

interface ServedDocument {
  /** The address of the root folder of the archive, or of the folder of a single document. */
  readonly folder: string;
  readonly address: string;
  readonly source: DocumentSource;
  readonly openFile?: OpenJobFile;
}

interface OpenStoredFile extends StoredFile {
  readonly body: Readable;
}

type OpenJobFile = (path: string) => Promise<OpenStoredFile | undefined>;

/** As many as a web server sends at the same time over one HTTP/2 connection by default. Files of up to 1 MB are in memory. */
const maxOpenFiles = 100;

/**
 * Limits how many files are open until Chromium has read them: a page can request thousands without reading any response. Later
 * requests wait. Chromium destroys the streams of requests that a page aborts, and of a frame that no longer exists.
 */
function limitOpenFiles(files: Files, onServed: (bytes: number) => void): OpenJobFile {
  const limiter = new ConcurrencyLimiter<Files>(maxOpenFiles);
  return (path) =>
    new Promise((resolve, reject) => {
      const openUntilRead = async () => {
        const file = await files(path);
        if (file === undefined) {
          resolve(undefined);
          return;
        }
        onServed(file.size);
        const body = file.body instanceof Readable ? file.body : streamOf(file.body);
        resolve({ ...file, body });
        await finished(body).catch(() => {});
      };
      limiter.run(files, openUntilRead).catch(reject);
    });
}

async function respond(
  { folder, address, source, openFile, isRestricted }: ServedDocument & { readonly isRestricted: boolean },
  url: string,
): Promise<SchemeResponse | undefined> {
  if (url === address) return { status: 200, headers: headersOf(source), body: source.bytes };
  if (isRestricted && !url.startsWith(folder)) return undefined;
  // An address without the folder is root-relative: it is resolved from the archive's root.
  const path = url.slice(url.startsWith(folder) ? folder.length : origin.length);
  const file = await openFile?.(path);
  if (file === undefined) return undefined;
  const headers = {
    'content-type': file.contentType,
    'content-length': String(file.size),
    'cache-control': 'no-store',
  };
  return { status: 200, headers, body: file.body };
}

function headersOf({ contentType, scripts }: DocumentSource): Record<string, string> {
  const policy = scripts ? {} : { 'content-security-policy': scriptlessPolicy };
  return { 'content-type': contentType, 'cache-control': 'no-store', ...policy };
}
