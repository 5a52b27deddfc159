/** Who may speak to main on the window's channel. */
import { consoleOrigin } from './desk-channels.ts';

/** As much of a frame as is looked at. */
interface Frame {
  readonly origin: string;
  readonly parent: unknown;
}

/** The page itself, not a frame in it, and only while it is our own. */
export function isOwnPage(frame: Frame | null, mainFrame: Frame): boolean {
  return frame !== null && frame === mainFrame && frame.parent === null && frame.origin === consoleOrigin;
}
