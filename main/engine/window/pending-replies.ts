/**
 * Releases calls into a page that will never be answered. Electron keeps the caller until the page replies
 * (lib/browser/ipc-main-internal-utils.ts). A page that navigates or loses its renderer never replies, so its job,
 * with all data sent to it, would stay in memory.
 */
import type { WebContents } from 'electron';

export interface PendingReplies {
  /** Releases all calls made so far. Call it after the job. */
  readonly forget: () => void;
}

/** Electron's internal method, which its types omit. `insertCSS`, `executeJavaScript` and others use it. */
interface InternalContents {
  _sendInternal?: (command: string, ...parameters: readonly unknown[]) => void;
}

/** Tracks all calls from now on. */
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
    forget() {
      // Electron drops its listener when a reply arrives. This reply is a promise that never settles, so the caller
      // is not notified.
      for (const channel of pendingChannels)
        contents.emit('-ipc-message', {}, true, channel, [null, new Promise(() => {})]);
      pendingChannels = [];
    },
  };
}
