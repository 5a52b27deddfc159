/**
 * Releases calls into a page that are never answered. Electron keeps a listener for each call until the page replies
 * (lib/browser/ipc-main-internal-utils.ts). A page that navigates or loses its renderer never replies. Without this file, the
 * listener would keep the job and all data sent to the page in memory.
 */
import type { WebContents } from 'electron';

export interface PendingReplies {
  /** Releases all calls made so far. Call this after the job. */
  readonly release: () => void;
}

/** A method of Electron that its type definitions omit. `insertCSS`, `executeJavaScript` and others use it. */
interface InternalContents {
  _sendInternal?: (command: string, ...parameters: readonly unknown[]) => void;
}

/** Records the reply channel of each call into the page from now on. */
export function trackPendingReplies(contents: WebContents): PendingReplies {
  let pendingChannels: string[] = [];
  const internalContents = contents as WebContents & InternalContents;
  const send = internalContents._sendInternal;
  if (send !== undefined)
    internalContents._sendInternal = (command, number, ...parameters) => {
      pendingChannels.push(`${command}_RESPONSE_${String(number)}`);
      send.call(contents, command, number, ...parameters);
    };
  return {
    release() {
      // Electron removes its listener when a reply arrives. This reply is a promise that never settles, so the caller is not
      // notified.
      for (const channel of pendingChannels)
        contents.emit('-ipc-message', {}, true, channel, [null, new Promise(() => {})]);
      pendingChannels = [];
    },
  };
}
