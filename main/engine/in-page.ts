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
  return runInPage(contents, callOf(work, parameters));
}

/** A function that is sent as its source. */
export type PageFunction = (...parameters: never[]) => unknown;

/** The same for a function that calls others of ours, which are sent with it. */
export async function inPageWith<P, T>(
  contents: WebContents,
  { work, calls }: { readonly work: (parameter: P) => T; readonly calls: readonly PageFunction[] },
  parameter: P,
): Promise<Awaited<T>> {
  return runInPage(contents, callOf(work, [parameter], calls));
}

/** A script that calls a function of ours. It is safe inside a script element too. */
export function callOf<A extends readonly unknown[]>(
  work: (...parameters: A) => unknown,
  parameters: A,
  calls: readonly PageFunction[] = [],
): string {
  const values = JSON.stringify(parameters).replace(/</g, '\\u003c');
  return `(() => { ${calls.map(String).join('\n')}\nreturn (${work.toString()})(...${values}) })()`;
}

/** The same for code. */
export async function runInPage<T>(contents: WebContents, code: string): Promise<Awaited<T>> {
  return (await contents.executeJavaScriptInIsolatedWorld(world, [{ code }])) as Awaited<T>;
}
