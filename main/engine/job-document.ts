/**
 * Serves a job's own document to its window, under the scheme `platen:`. One origin per window, so that a renderer is
 * kept; a token per document, so that requests of an earlier one are refused. Never `file:`.
 */
import { randomUUID } from 'node:crypto';
import { protocol, type CustomScheme, type Session } from 'electron';
import type { Source } from '../input/source.ts';
import { blankPage, isEmptyPage, openPage, ownOrigin as origin } from './shown-address.ts';

export { blankPage, openPage } from './shown-address.ts';

const scheme = 'platen';

/**
 * To be called once, before Electron is ready, with the schemes of others. Not `secure`: pictures from plain http, which office pages have, would be
 * blocked as mixed content.
 */
export function registerSchemes(...others: readonly CustomScheme[]): void {
  const privileges = { standard: true, supportFetchAPI: true, corsEnabled: true, stream: true };
  protocol.registerSchemesAsPrivileged([{ scheme, privileges }, ...others]);
}

type DocumentSource = Extract<Source, { kind: 'document' }>;

export interface JobDocument {
  /** Serves this document until the next call of either; its address. */
  readonly serve: (source: DocumentSource) => string;
  readonly withdraw: () => void;
  /** From now on files are served under the document's own folder alone, whose name no other site knows. */
  readonly seclude: () => void;
  /** Where a file is that was asked for by an address from the root; undefined: nowhere else, or not to be told apart. */
  readonly secluded: (url: string) => string | undefined;
}

/** What is written into the open page can do nothing, should the test that found it so be wrong (input/inert.ts). */
const inert =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";

const headersOfOpenPage = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': inert };

/** Nothing in such a document can run; the policy says so too, should the test that found it so be wrong. */
const scriptless = "script-src 'none'; object-src 'none'; frame-src 'none'; child-src 'none'";

export function openJobDocument(session: Session): JobDocument {
  let served: Served | undefined;
  let isSecluded = false;
  session.protocol.handle(scheme, async ({ url }) => {
    if (url === blankPage) return new Response('', { headers: { 'content-type': 'text/html' } });
    if (url === openPage) return new Response('', { headers: headersOfOpenPage });
    return (
      (served && (await answer({ ...served, isSecluded }, url.split(/[?#]/)[0] ?? ''))) ??
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
      isSecluded = false;
    },
    seclude() {
      isSecluded = true;
    },
    secluded(url) {
      if (!isSecluded || served === undefined || isEmptyPage(url) || !url.startsWith(origin))
        return undefined;
      return url.startsWith(served.folder) ? undefined : served.folder + url.slice(origin.length);
    },
  };
}

interface Served {
  /** The address the archive's top folder has, or would have. */
  readonly folder: string;
  readonly address: string;
  readonly source: DocumentSource;
}

async function answer(
  { folder, address, source, isSecluded }: Served & { readonly isSecluded: boolean },
  url: string,
): Promise<Response | undefined> {
  if (url === address) return new Response(inPortions(source.bytes), { headers: headersOf(source) });
  if (isSecluded && !url.startsWith(folder)) return undefined;
  // Without the folder it is a root-relative address, which starts from the archive's top.
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

/** Bytes: a Response copies what it is given as a whole, which would hold up the service for long documents. */
const portion = 1_000_000;

function inPortions(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> | ReadableStream {
  if (bytes.length <= portion) return bytes;
  let from = 0;
  return new ReadableStream({
    pull(controller) {
      // Not copied: such a stream leaves what it is given where it is, unlike one of type 'bytes'.
      controller.enqueue(bytes.subarray(from, from + portion));
      from += portion;
      if (from >= bytes.length) controller.close();
    },
  });
}

function headersOf({ contentType, scripts }: DocumentSource): Record<string, string> {
  const policy = scripts ? {} : { 'content-security-policy': scriptless };
  return { 'content-type': contentType, 'cache-control': 'no-store', ...policy };
}
