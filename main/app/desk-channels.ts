/** What the window's preload and main must agree on; without zod, which a sandboxed preload has no use for. */

/** Names on the channel between the window and main. */
export const channels = {
  call: 'console:call',
  run: 'console:run',
  output: 'console:output',
  desk: 'desk:call',
  dropped: 'desk:dropped',
  event: 'desk:event',
} as const;

/** Where the window's own files are. */
export const consoleOrigin = 'platen-console://app';

/** The preload finds the languages in its arguments behind this. */
export const languagesArgument = '--platen-languages=';
