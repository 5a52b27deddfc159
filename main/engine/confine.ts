/** What no page may do to its window: open others, leave for another program, ask questions. */
import type { BrowserWindow } from 'electron';

/** The schemes a frame may be navigated to. */
const navigable = /^(https?|platen|data|blob|about):/;

/** `isFrozen` tells whether the page may go elsewhere no more. */
export function confine(window: BrowserWindow, isFrozen: () => boolean): void {
  const { webContents: contents } = window;
  // Pages that print and then close themselves are common; destroy() still works.
  window.on('close', (event) => {
    event.preventDefault();
  });
  // Or a page could send UDP past the network guard; the switch of the same name has no effect in Electron.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-frame-navigate', (event) => {
    // A scheme nobody handles would be handed to the operating system.
    if (!navigable.test(event.url) || (isFrozen() && event.isMainFrame)) event.preventDefault();
  });
  contents.on('will-prevent-unload', (event) => {
    // "Leave this page?": yes.
    event.preventDefault();
  });
  contents.on('login', (event, _details, _info, answer) => {
    event.preventDefault();
    answer();
  });
  contents.on('select-bluetooth-device', (event, _devices, choose) => {
    event.preventDefault();
    choose('');
  });
}
