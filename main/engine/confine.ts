/** What no page may do to its window: open others, leave for another program, ask questions. */
import type { WebContents } from 'electron';

export interface Confinement {
  /** Tells when the window's renderer is gone, and why. */
  readonly onGone: (listener: (reason: string) => void) => void;
}

/** The schemes a frame may be navigated to. */
const navigable = /^(https?|platen|data|blob|about):/;

export function confine(contents: WebContents): Confinement {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-frame-navigate', (event) => {
    // A scheme nobody handles would be handed to the operating system.
    if (!navigable.test(event.url)) event.preventDefault();
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
  return {
    onGone(listener) {
      contents.on('render-process-gone', (_event, { reason }) => {
        listener(reason);
      });
    },
  };
}
