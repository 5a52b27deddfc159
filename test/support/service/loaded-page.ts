/** Waits for the page of a window. */
import type { WebContents } from 'electron';

export function whenLoaded(contents: WebContents): Promise<void> {
  return new Promise((resolve) => {
    contents.once('did-finish-load', () => {
      resolve();
    });
  });
}
