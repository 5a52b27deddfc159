/** Limits how many windows a document's scripts may open. Runs in the page's main world before the page's scripts. */

/**
 * Maximum number of calls of `open` that reach Chromium. The service refuses every new window, but Chromium copies the session storage
 * for it and never frees the copy, about a kilobyte. Calls with a target may load a page into an existing frame. Those without one
 * reach Chromium only because it explains some of them in the console, such as the URL of a file.
 */
const maxCalls = { named: 100, unnamed: 3 } as const;

/** Targets for which `open` always creates a window. */
const newWindowTargets: readonly unknown[] = [undefined, '', '_blank'];

/** Replaces `open`. The first calls reach Chromium. Later calls return null, as for a refused window. */
export function limitOpenedWindows(): void {
  const { apply, defineProperty } = Reflect;
  const isForNewWindow = newWindowTargets.includes.bind(newWindowTargets);
  const counts = { named: 0, unnamed: 0 };
  const value = new Proxy(globalThis.open, {
    apply(open, receiver, parameters: readonly unknown[]) {
      const kind = isForNewWindow(parameters[1]) ? 'unnamed' : 'named';
      counts[kind] += 1;
      return counts[kind] > maxCalls[kind] ? null : (apply(open, receiver, parameters) as unknown);
    },
  });
  defineProperty(globalThis, 'open', { value, writable: true, enumerable: true, configurable: true });
}
