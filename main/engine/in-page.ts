/**
 * Runs our own functions inside a page, in a world the page's scripts cannot reach. Such a function is sent as its
 * source: it may use its parameters and the DOM, and nothing else of this program.
 */
import type { WebContents } from 'electron';

/** Any world but 0 (the page's) and 999 (Electron's preloads). */
const world = 7;

/** The function's result in the main frame. Never settles when the page goes elsewhere meanwhile. */
export async function inPage<A extends readonly unknown[], T>(
  contents: WebContents,
  work: (...parameters: A) => T,
  ...parameters: A
): Promise<Awaited<T>> {
  return runInPage<T>(contents, `(${work.toString()})(...${JSON.stringify(parameters)})`);
}

/** The same for code. */
export async function runInPage<T>(contents: WebContents, code: string): Promise<Awaited<T>> {
  return (await contents.executeJavaScriptInIsolatedWorld(world, [{ code }])) as Awaited<T>;
}
