/** The phases of a run, as shown to the user. Each phase combines several stages of the debug log. */
import type { TextKey } from '../texts/text.ts';

/** In the order in which a job passes them. */
export const phases = ['prepare', 'wait', 'load', 'ready', 'make', 'finish'] as const;

type RunPhase = (typeof phases)[number];

const stagePatterns: readonly (readonly [RunPhase, RegExp])[] = [
  ['prepare', /^prepare /],
  ['wait', /^wait for a window/],
  ['load', /^(set |assume |load |navigate|follow |check the status)/],
  ['finish', /^(finish|encode|fetch |embed)/],
  ['make', /^(print|capture|take )/],
];

/**
 * Returns the phase to which a stage of the debug log belongs. Most stages belong to `ready`, so an unknown stage counts as
 * `ready`.
 */
function phaseOf(stage: string): RunPhase {
  if (stage.startsWith('load fonts')) return 'ready';
  return stagePatterns.find(([, start]) => start.test(stage))?.[0] ?? 'ready';
}

/** Returns the last phase that the stages have reached. */
export function phaseReached(stages: readonly string[]): RunPhase {
  return phases[Math.max(0, ...stages.map((stage) => phases.indexOf(phaseOf(stage))))] ?? 'prepare';
}

export function phaseTextKey(phase: RunPhase): TextKey {
  return `run.phase.${phase}`;
}
