/**
 * Decides which windows may show a page of a site, so that a page that has compromised its renderer cannot see pages of other sites.
 * Pages of one site share a renderer, because starting one takes longer than converting most pages
 * (docs/decisions/0040-renderer-per-site.md).
 */
import type { Source } from '../../input/source.ts';
import { isEmptyPage, isJobFile } from '../requests/shown-address.ts';
import type { EngineWindow } from './engine-window.ts';
import { parsedUrl } from '../../fields/parsed-url.ts';

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
  return parsedUrl(url)?.hostname;
}

/** Returns whether the window has shown several sites, so that it may show no other page. */
export function hasShownSeveralSites({ kind, site }: Pick<EngineWindow, 'kind' | 'site'>): boolean {
  return kind === 'dynamic' && site === severalSites;
}

/**
 * Returns whether the window may show a page of this site. The idle page of a static window has the scheme `platen:`, from which
 * Chromium starts another renderer for any other site. A dynamic window keeps the renderer of its pages.
 */
export function mayShow({ kind, site: shown }: Pick<EngineWindow, 'kind' | 'site'>, site: string): boolean {
  return kind === 'static' || shown === undefined || shown === site;
}
