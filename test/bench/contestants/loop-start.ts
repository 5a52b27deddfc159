/** How the loop's Electron is told what it is. */

/** `navigate`: each document is loaded from its file; `write`: it is written into the page that is open. */
export type LoopMode = 'navigate' | 'write';

export interface LoopStart {
  readonly mode: LoopMode;
  readonly windows: number;
}

/** A LoopStart as JSON. */
export const startVariable = 'PLATEN_BENCH_LOOP';
