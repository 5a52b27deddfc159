/** The stages of a job in words for a person: many of the log's are one here. */
import type { TextKey } from '../texts/text.ts';

/** In the order a job goes through them. */
export const phases = ['prepare', 'wait', 'load', 'ready', 'make', 'finish'] as const;

export type Phase = (typeof phases)[number];

const starts: readonly (readonly [Phase, RegExp])[] = [
  ['prepare', /^prepare /],
  ['wait', /^wait for a window/],
  ['load', /^(set |assume |load |navigate|follow |check the status)/],
  ['finish', /^(finish|encode|fetch |embed)/],
  ['make', /^(print|capture|take )/],
];

/** Of a stage of the debug log; one that is not known makes the page ready, as most do. */
export function phaseOf(stage: string): Phase {
  if (stage.startsWith('load fonts')) return 'ready';
  return starts.find(([, start]) => start.test(stage))?.[0] ?? 'ready';
}

/** How far a job has come: the furthest phase of its stages. */
export function phaseReached(stages: readonly string[]): Phase {
  return phases[Math.max(0, ...stages.map((stage) => phases.indexOf(phaseOf(stage))))] ?? 'prepare';
}

export function wordsFor(phase: Phase): TextKey {
  return `run.phase.${phase}`;
}
