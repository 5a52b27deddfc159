/**
 * Keeps a document's files from frames of other sites in it, and from their workers: Chromium checks no CORS for a scheme of
 * one's own. Such a site does not know the document's folder, but an address from the root (`/data.json`) needs none.
 */
import type { OnBeforeRequestListenerDetails } from 'electron';
import type { JobDocument } from './job-document.ts';

type Details = Pick<OnBeforeRequestListenerDetails, 'url' | 'resourceType' | 'frame'>;

/**
 * What to do with a request: as before (undefined), refuse it, or let it go to where the file is now. Workers are not heard of
 * here; theirs go by the folder alone once there is another site.
 */
export function keepOwnFiles(
  { url, resourceType, frame }: Details,
  document: JobDocument,
): { readonly cancel: true } | { readonly redirectURL: string } | undefined {
  if (resourceType !== 'mainFrame' && holders.has(resourceType) && /^https?:/.test(url)) document.seclude();
  const redirectURL = document.secluded(url);
  if (redirectURL === undefined) return undefined;
  // A frame that goes there can be read by its own site alone.
  if (!holders.has(resourceType) && isOfAnotherSite(frame)) return { cancel: true };
  return { redirectURL };
}

/** What can hold a document. */
const holders: ReadonlySet<string> = new Set(['mainFrame', 'subFrame', 'object']);

/** A frame without an origin (sandboxed, `data:`) is of those it lies in. */
function isOfAnotherSite(frame: Details['frame']): boolean {
  try {
    for (let one = frame ?? null; one !== null; one = one.parent)
      if (/^https?:/.test(one.origin)) return true;
    return frame === undefined || frame === null;
  } catch {
    // It has gone meanwhile.
    return true;
  }
}
