/** Limits how many windows a document's scripts may open. Runs in the page's main world before the page's scripts. */

/**
 * Maximum number of calls of `open` that reach Chromium. The service refuses every new window, but Chromium copies the session storage
 * for it and never frees the copy, about a kilobyte.
 */
const maxCalls = 100;

/** Targets for which `open` always creates a window. */
const newWindowTargets: readonly unknown[] = [undefined, '', '_blank'];

/**
 * Replaces `open`. Calls that can only create a window return null, as for a refused window. Calls with another target may load a page
 * into an existing frame; the first of them reach Chromium, later ones return null.
 */
export function limitOpenedWindows(): void {
  const { apply, defineProperty } = Reflect;
  const isForNewWindow = newWindowTargets.includes.bind(newWindowTargets);
  let count = 0;
  const value = new Proxy(globalThis.open, {
    apply(open, receiver, parameters: readonly unknown[]) {
      if (isForNewWindow(parameters[1])) return null;
      count += 1;
      return count > maxCalls ? null : (apply(open, receiver, parameters) as unknown);
    },
  });
  defineProperty(globalThis, 'open', { value, writable: true, enumerable: true, configurable: true });
}
