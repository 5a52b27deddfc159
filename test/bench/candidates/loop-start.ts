/** The start parameters of the loop (loop-program.ts). */

/** `navigate`: loads each document from its URL; `write`: writes each document into the open page with document.write. */
export type LoopMode = 'navigate' | 'write';

export interface LoopStart {
  readonly mode: LoopMode;
  readonly windows: number;
}

/** The environment variable that contains a LoopStart as JSON. */
export const startVariable = 'PLATEN_BENCH_LOOP';
