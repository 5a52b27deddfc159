/**
 * Gives a page another renderer than that of another site's page before it in the same window: whoever had taken that over would
 * see it. Pages of one site share one, for a new one takes longer than most pages.
 */
import type { Source } from '../input/source.ts';
import { blankPage, isEmptyPage, isOwnFile, neutralPage } from './shown-address.ts';
import type { EngineWindow } from './window.ts';
import { within } from './within.ts';

/** Of documents that came with their jobs. */
const ownSite = '';

/** Of a window that has shown pages of several; no page is of it. */
const severalSites = 'several';

/** Of the page that is asked for. */
export function siteOf(source: Source): string {
  return source.kind === 'remote' ? source.url.origin : ownSite;
}

/** To be told of each page that a window shows: one that leads elsewhere, or a header, is another site's. */
export function noteSite(window: Pick<EngineWindow, 'site'>, shown: string): void {
  if (window.site === undefined || shown === 'about:blank' || isEmptyPage(shown)) return;
  const isOwn = isOwnFile(shown);
  const isSame =
    window.site === ownSite || isOwn
      ? isOwn && window.site === ownSite
      : hostOf(shown) === hostOf(window.site);
  if (!isSame) window.site = severalSites;
}

/** A site's own way from http to https does not leave it. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** A hundred times what it takes. */
const patience = 5000;

/** From the empty page Chromium would go on in the renderer there is, wherever it goes. */
async function leave({ contents }: EngineWindow, site: string): Promise<void> {
  const before = contents.getOSProcessId();
  await contents.loadURL(neutralPage);
  // Chromium takes one there is where it has as many as it may (by the machine's memory).
  if (contents.getOSProcessId() === before) throw new Error('Chromium has kept the one there was');
  // Electron loses what DevTools tells while a renderer is exchanged, and a log is to hold all of our own documents.
  if (site === ownSite) await contents.loadURL(blankPage);
}

/** Makes the window ready for a page of that site; it is broken where that fails. Never rejects. */
export async function changeSite(window: EngineWindow, site: string): Promise<void> {
  const before = window.site;
  window.site = site;
  // A window that runs no scripts waits at an address of ours, from which Chromium takes another renderer to any site.
  if (window.kind === 'still' || before === undefined || before === site) return;
  try {
    await within(patience, leave(window, site));
  } catch (problem) {
    window.broken ??= `no other renderer: ${String(problem)}`;
  }
}
