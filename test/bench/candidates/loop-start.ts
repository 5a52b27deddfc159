/** The start parameters of the loop (loop-program.ts). */

/**
 * `navigate`: loads each document from its URL; `leave`: also loads an empty page after each document, so that nothing of it runs
 * any longer; `write`: writes each document into the open page with document.write.
 */
export type LoopMode = 'navigate' | 'leave' | 'write';

export interface LoopStart {
  readonly mode: LoopMode;
  readonly windows: number;
}

/** The environment variable that contains a LoopStart as JSON. */
export const startVariable = 'PLATEN_BENCH_LOOP';
