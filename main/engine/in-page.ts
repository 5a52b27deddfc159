/**
 * Runs our own functions inside a page, in a world the page's scripts cannot reach. Such a function is sent as its
 * source: it may use its parameters and the DOM, and nothing else of this program.
 */
import type { WebContents } from 'electron';

/** Thrown when the page went elsewhere while something was done in it; loading begins anew then. */
export class NavigatedAway extends Error {}

/** Any world but 0 (the page's) and 999 (Electron's preloads). */
const world = 7;

/** The function's result in the main frame. @throws NavigatedAway */
export function inPage<A extends readonly unknown[], T>(
  contents: WebContents,
  work: (...parameters: A) => T,
  ...parameters: A
): Promise<Awaited<T>> {
  const code = `(${work.toString()})(...${JSON.stringify(parameters)})`;
  return new Promise<Awaited<T>>((resolve, reject) => {
    const onNavigate = (details: { isMainFrame: boolean; isSameDocument: boolean }) => {
      if (details.isMainFrame && !details.isSameDocument) reject(new NavigatedAway());
    };
    contents.on('did-start-navigation', onNavigate);
    contents
      .executeJavaScriptInIsolatedWorld(world, [{ code }])
      .then((value: unknown) => {
        resolve(value as Awaited<T>);
      }, reject)
      .finally(() => contents.off('did-start-navigation', onNavigate));
  });
}
