/**
 * Serves a job's document to its window under the scheme `platen:`, never `file:`. All documents have the same origin, so that a
 * window keeps its renderer. Each document has its own folder with a random name, so requests for an earlier document are refused.
 */
import { randomUUID } from 'node:crypto';
import { protocol, type CustomScheme, type Session } from 'electron';
import type { Source } from '../../input/source.ts';
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
  /** From now on, serves files only below the document's folder, whose random name other sites cannot guess. */
  readonly restrictToFolder: () => void;
  /**
   * Returns the address below the document's folder that replaces a root-relative address. Returns undefined if files are not
   * restricted to the folder, or for any other address.
   */
  readonly folderUrl: (url: string) => string | undefined;
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
 * Returns whether this is a request for the script of a service worker outside the document's folder (Service Workers, 4.1). Such a
 * worker could answer requests for the window's empty pages, which other jobs visit. A worker inside the folder answers only
 * requests below the folder, whose name is never reused.
 */
function isRootServiceWorker(url: string, headers: Headers): boolean {
  return headers.get('service-worker') === 'script' && !/^[\da-f-]{36}\//.test(url.slice(origin.length));
}

interface ServedDocument {
  /** The address of the root folder of the archive, or of the folder of a single document. */
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
  // An address without the folder is root-relative: it is resolved from the archive's root.
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

/**
 * Longer documents are streamed in chunks of this size, because a Response copies its whole body, which would block the service.
 */
const chunkBytes = 1_000_000;

function chunkedBody(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> | ReadableStream {
  if (bytes.length <= chunkBytes) return bytes;
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      // The chunks are views, not copies. Unlike a stream of type 'bytes', this stream does not transfer their buffer.
      controller.enqueue(bytes.subarray(offset, offset + chunkBytes));
      offset += chunkBytes;
      if (offset >= bytes.length) controller.close();
    },
  });
}

function headersOf({ contentType, scripts }: DocumentSource): Record<string, string> {
  const policy = scripts ? {} : { 'content-security-policy': scriptlessPolicy };
  return { 'content-type': contentType, 'cache-control': 'no-store', ...policy };
}
