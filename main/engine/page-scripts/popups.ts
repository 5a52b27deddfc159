/** Limits how many windows a document's scripts may open. Runs in the page's main world before the page's scripts. */

/**
 * Maximum number of calls of `open` that reach Chromium. The service refuses every new window, but Chromium copies the session storage
 * for it and never frees the copy, about half a kilobyte.
 */
const maxCalls = 100;

/**
 * Replaces `open`. The first calls still reach Chromium, because `open` can also load a page into an existing frame. Later calls return
 * null, as for a refused window.
 */
export function limitOpenedWindows(): void {
  const { apply, defineProperty } = Reflect;
  let count = 0;
  const value = new Proxy(globalThis.open, {
    apply(open, receiver, parameters) {
      count += 1;
      return count > maxCalls ? null : (apply(open, receiver, parameters) as unknown);
    },
  });
  defineProperty(globalThis, 'open', { value, writable: true, enumerable: true, configurable: true });
}
