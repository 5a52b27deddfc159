/**
 * What a page is asked. Electron keeps whoever waits for an answer until there is one (lib/browser/ipc-main-internal-utils.ts),
 * and a page that goes elsewhere or loses its renderer never gives it: its job would be kept for ever, with all it was sent.
 */
import type { WebContents } from 'electron';

export interface Questions {
  /** What was asked until now stays unanswered, and nobody waits for it any more: to be called when its job is over. */
  readonly forget: () => void;
}

/** Electron's inner method, left out of its types: below it are `insertCSS`, `executeJavaScript` and their like. */
interface Asking {
  _sendInternal?: (command: string, ...parameters: readonly unknown[]) => void;
}

/** From now on. */
export function watchQuestions(contents: WebContents): Questions {
  let asked: string[] = [];
  const asking = contents as WebContents & Asking;
  const send = asking._sendInternal;
  if (send !== undefined)
    asking._sendInternal = (command, number, ...parameters) => {
      asked.push(`${command}_RESPONSE_${String(number)}`);
      send.call(contents, command, number, ...parameters);
    };
  return {
    forget() {
      // As an answer comes, with one that is never settled: so whoever waits is let go, and hears nothing.
      for (const answer of asked)
        contents.emit('-ipc-message', {}, true, answer, [null, new Promise(() => {})]);
      asked = [];
    },
  };
}
