/**
 * Swaps the renderer of a window before a page of another site, so that a page that has compromised its renderer
 * cannot see pages of other sites. Pages of one site share a renderer, because starting one takes longer than most
 * pages.
 */
import type { Source } from '../../input/source.ts';
import { blankPage, isEmptyPage, isJobFile, neutralPage } from '../requests/shown-address.ts';
import type { EngineWindow } from './engine-window.ts';
import { withTimeout } from '../../async/signals.ts';

/** The site of uploaded documents. */
const jobSite = '';

/** The value of `site` for a window that has shown pages of several sites. It equals the site of no page. */
const severalSites = 'several';

/** Returns the site of the page that a job asks for. */
export function siteOf(source: Source): string {
  return source.kind === 'remote' ? source.url.origin : jobSite;
}

/** Records the site of a page that a window shows. Redirects, scripts and Refresh headers may lead to other sites. */
export function noteSite(window: Pick<EngineWindow, 'site'>, url: string): void {
  if (window.site === undefined || url === 'about:blank' || isEmptyPage(url)) return;
  const isJobPage = isJobFile(url);
  const isSame =
    window.site === jobSite || isJobPage
      ? isJobPage && window.site === jobSite
      : hostOf(url) === hostOf(window.site);
  if (!isSame) window.site = severalSites;
}

/** Hosts are compared instead of origins, because a redirect from http to https stays on the site. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** A hundred times the usual time of a swap. */
const swapTimeoutMs = 5000;

/** Starts another renderer. From the window's empty page Chromium would keep the current one for any address. */
async function swapRenderer({ contents }: EngineWindow, site: string): Promise<void> {
  const before = contents.getOSProcessId();
  await contents.loadURL(neutralPage);
  // Chromium reuses renderers at its process limit, which depends on the machine's memory.
  if (contents.getOSProcessId() === before) throw new Error('Chromium reused the renderer');
  // Electron loses DevTools events during a swap. With this extra page in between, it loses none of an uploaded document, and
  // the debug log is complete.
  if (site === jobSite) await contents.loadURL(blankPage);
}

/** Prepares the window for a page of the site. Marks the window as broken on failure. Never rejects. */
export async function isolateSite(window: EngineWindow, site: string): Promise<void> {
  const before = window.site;
  window.site = site;
  // An idle static window shows an address of the service. From there Chromium starts another renderer for any
  // site.
  if (window.kind === 'static' || before === undefined || before === site) return;
  try {
    await withTimeout(swapTimeoutMs, swapRenderer(window, site));
  } catch (problem) {
    window.brokenReason ??= `no other renderer: ${String(problem)}`;
  }
}
