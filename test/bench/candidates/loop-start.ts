/** The start parameters of the loop's Electron. */

/** `navigate`: loads each document from its file; `write`: writes it into the open page. */
export type LoopMode = 'navigate' | 'write';

export interface LoopStart {
  readonly mode: LoopMode;
  readonly windows: number;
}

/** The environment variable with a LoopStart as JSON. */
export const startVariable = 'PLATEN_BENCH_LOOP';
