/**
 * Starts another renderer in a window before it loads a page of another site, so that a page that has compromised its renderer
 * cannot see pages of other sites. Pages of one site share a renderer, because starting one takes longer than converting most
 * pages.
 */
import type { Source } from '../../input/source.ts';
import { blankPage, isEmptyPage, isJobFile, neutralPage } from '../requests/shown-address.ts';
import type { EngineWindow } from './engine-window.ts';
import { withTimeout } from '../../async/signals.ts';

/** The site of documents that the caller sent. */
const jobSite = '';

/** The value of `site` for a window that has shown pages of several sites. No page has this site. */
const severalSites = 'several';

/** Returns the site of the page that a job converts: the origin of a remote page, otherwise `jobSite`. */
export function siteOf(source: Source): string {
  return source.kind === 'remote' ? source.url.origin : jobSite;
}

/**
 * Sets the window's site to `severalSites` if the page with this address is of another site. Redirects, scripts and Refresh headers
 * may lead to other sites.
 */
export function noteSite(window: Pick<EngineWindow, 'site'>, url: string): void {
  if (window.site === undefined || url === 'about:blank' || isEmptyPage(url)) return;
  const isJobPage = isJobFile(url);
  const isSame =
    window.site === jobSite || isJobPage
      ? isJobPage && window.site === jobSite
      : hostOf(url) === hostOf(window.site);
  if (!isSame) window.site = severalSites;
}

/**
 * Returns the host name of an address. Hosts are compared instead of origins, because a redirect from http to https stays on the
 * site.
 */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** A hundred times the usual time of a swap. */
const swapTimeoutMs = 5000;

/**
 * Starts another renderer by loading a page with an opaque origin. From the window's empty page, Chromium would keep the current
 * renderer for any address.
 * @throws Error if Chromium reuses the renderer
 */
async function swapRenderer({ contents }: EngineWindow, site: string): Promise<void> {
  const previousId = contents.getOSProcessId();
  await contents.loadURL(neutralPage);
  // When Chromium has reached its process limit, which depends on the memory of the machine, it reuses renderers.
  if (contents.getOSProcessId() === previousId) throw new Error('Chromium reused the renderer');
  // Electron loses DevTools events during a swap. With this extra page in between, it loses no events of a document that the caller
  // sent, and the debug log is complete.
  if (site === jobSite) await contents.loadURL(blankPage);
}

/**
 * Prepares the window for a page of this site: starts another renderer if the current one has shown another site. Marks the window
 * as broken on failure. Never rejects.
 */
export async function isolateSite(window: EngineWindow, site: string): Promise<void> {
  const previousSite = window.site;
  window.site = site;
  // An idle static window shows a page with the scheme `platen:`. From there Chromium starts another renderer for any other site.
  if (window.kind === 'static' || previousSite === undefined || previousSite === site) return;
  try {
    await withTimeout(swapTimeoutMs, swapRenderer(window, site));
  } catch (problem) {
    window.brokenReason ??= `no other renderer: ${String(problem)}`;
  }
}
