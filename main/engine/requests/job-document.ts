/**
 * Serves a job's document to its window under the scheme `platen:`, never `file:`. All documents have the same origin, so that a
 * window keeps its renderer. Each document has a random folder, so requests for an earlier document are refused.
 */
import { randomUUID } from 'node:crypto';
import { protocol, type CustomScheme, type Session } from 'electron';
import type { Source } from '../../input/source.ts';
import { blankPage, isEmptyPage, inlineDocumentPage, jobOrigin as origin } from './shown-address.ts';

export { blankPage, inlineDocumentPage as openPage } from './shown-address.ts';

const scheme = 'platen';

/**
 * A secure context gives a document what https would (`crypto.subtle`, caches, worklets). Chromium blocks mixed
 * content only in https documents, so images and scripts from plain http still load.
 */
const privileges = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  corsEnabled: true,
  stream: true,
  allowServiceWorkers: true,
};

/** Registers the scheme together with `others`, because Electron accepts one call only. Call it before Electron is ready. */
export function registerSchemes(...others: readonly CustomScheme[]): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges }, ...others]);
}

type DocumentSource = Extract<Source, { kind: 'document' }>;

export interface JobDocument {
  /** Serves this document until the next `serve` or `withdraw`. Returns its address. */
  readonly serve: (source: DocumentSource) => string;
  readonly withdraw: () => void;
  /** Serves files only below the document's folder from now on, because other sites do not know the folder's random name. */
  readonly restrictToFolder: () => void;
  /**
   * Returns the address below the document's folder for a root-relative address. Undefined if files are not
   * restricted, or the address is already below the folder.
   */
  readonly folderUrl: (url: string) => string | undefined;
}

/**
 * Stops documents written into the open page from loading or running anything, should the static-document test be
 * wrong (input/static-document.ts).
 */
const openPagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";

const openPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': openPagePolicy,
};

/** Stops scripts in documents without scripts, should the static-document test be wrong. */
const scriptlessPolicy = "script-src 'none'; object-src 'none'; frame-src 'none'; child-src 'none'";

export function openJobDocument(session: Session): JobDocument {
  let served: ServedDocument | undefined;
  let isRestricted = false;
  session.protocol.handle(scheme, async ({ url, headers }) => {
    if (isRootServiceWorker(url, headers)) return new Response('', { status: 404 });
    if (url === blankPage) return new Response('', { headers: { 'content-type': 'text/html' } });
    if (url === inlineDocumentPage) return new Response('', { headers: openPageHeaders });
    return (
      (served && (await respond({ ...served, isRestricted }, url.split(/[?#]/)[0] ?? ''))) ??
      new Response('', { status: 404 })
    );
  });
  return {
    serve(source) {
      const folder = `${origin}${randomUUID()}/`;
      const address = folder + source.path.split('/').map(encodeURIComponent).join('/');
      served = { folder, address, source };
      return address;
    },
    withdraw() {
      served = undefined;
      isRestricted = false;
    },
    restrictToFolder() {
      isRestricted = true;
    },
    folderUrl(url) {
      if (!isRestricted || served === undefined || isEmptyPage(url) || !url.startsWith(origin))
        return undefined;
      return url.startsWith(served.folder) ? undefined : served.folder + url.slice(origin.length);
    },
  };
}

/**
 * Returns whether this is the script of a service worker outside the document's folder (Service Workers, 4.1). Such
 * a worker could answer for the window's empty pages, which other jobs visit. A worker in the folder answers only
 * for the folder, whose name is never reused.
 */
function isRootServiceWorker(url: string, headers: Headers): boolean {
  return headers.get('service-worker') === 'script' && !/^[\da-f-]{36}\//.test(url.slice(origin.length));
}

interface ServedDocument {
  /** The address of the archive's root folder, or of the folder that a single document is in. */
  readonly folder: string;
  readonly address: string;
  readonly source: DocumentSource;
}

async function respond(
  { folder, address, source, isRestricted }: ServedDocument & { readonly isRestricted: boolean },
  url: string,
): Promise<Response | undefined> {
  if (url === address) return new Response(chunkedBody(source.bytes), { headers: headersOf(source) });
  if (isRestricted && !url.startsWith(folder)) return undefined;
  // An address without the folder is root-relative: it starts at the archive's root.
  const path = url.slice(url.startsWith(folder) ? folder.length : origin.length);
  const file = await source.files?.(path);
  if (file === undefined) return undefined;
  const headers = {
    'content-type': file.contentType,
    'content-length': String(file.size),
    'cache-control': 'no-store',
  };
  return new Response(file.stream, { headers });
}

/** Bytes. Longer documents are streamed in chunks of this size: a Response copies its whole body, which would block the service. */
const chunkBytes = 1_000_000;

function chunkedBody(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> | ReadableStream {
  if (bytes.length <= chunkBytes) return bytes;
  let from = 0;
  return new ReadableStream({
    pull(controller) {
      // Not copied: unlike a stream of type 'bytes', this one does not transfer its chunks.
      controller.enqueue(bytes.subarray(from, from + chunkBytes));
      from += chunkBytes;
      if (from >= bytes.length) controller.close();
    },
  });
}

function headersOf({ contentType, scripts }: DocumentSource): Record<string, string> {
  const policy = scripts ? {} : { 'content-security-policy': scriptlessPolicy };
  return { 'content-type': contentType, 'cache-control': 'no-store', ...policy };
}
