/**
 * Runs in every frame before the page's own scripts, in a world of its own. A window is re-used for many jobs and
 * Electron has no call that clears session storage, so each origin's is cleared at its first visit in a job; so is
 * `window.name`. The page sees nothing of it.
 */
import { ipcRenderer } from 'electron';
import { firstVisitChannel } from './visit-channel.ts';

if (ipcRenderer.sendSync(firstVisitChannel, location.origin) === true) {
  try {
    window.name = '';
    window.sessionStorage.clear();
  } catch {
    // A sandboxed frame has no storage to clear.
  }
}
