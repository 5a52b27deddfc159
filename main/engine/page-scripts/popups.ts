/** Limits how many windows a document's scripts may open. Runs in the page's main world before the page's scripts. */

/**
 * The service refuses every new window, but Chromium's browser process keeps the session storage that it has copied for the window:
 * half a kilobyte for each, until the service ends.
 */
const maxOpened = 100;

/** Replaces `open`. After `maxOpened` calls it returns null, as for a refused window. Before, it may still show pages in frames. */
export function limitOpenedWindows(): void {
  const { apply, defineProperty } = Reflect;
  let count = 0;
  const value = new Proxy(globalThis.open, {
    apply(open, receiver, parameters) {
      count += 1;
      return count > maxOpened ? null : (apply(open, receiver, parameters) as unknown);
    },
  });
  defineProperty(globalThis, 'open', { value, writable: true, enumerable: true, configurable: true });
}
