/** Places the stages of a job on one time axis, from the events of its log or from durations alone. Pure functions. */
import type { EventOf } from '../../../main/log/events.ts';

export interface StageSpan {
  readonly stage: EventOf<'stage'>;
  /** Milliseconds since the job began. */
  readonly from: number;
  readonly to: number;
  /** Whether this is a step of the stage before it. */
  readonly isStep: boolean;
}

/**
 * Returns the stages in the order in which they began. A stage that runs in another thread logs its steps at its end, so they
 * follow the stage in the log.
 */
export function stageSpans(stages: readonly EventOf<'stage'>[]): StageSpan[] {
  const groups: EventOf<'stage'>[][] = [];
  for (const stage of stages) {
    const group = groups.at(-1);
    const [whole] = group ?? [];
    if (group !== undefined && whole !== undefined && isStepOf(stage, whole)) group.push(stage);
    else groups.push([stage]);
  }
  return groups.map(laidOut).toSorted(byBegin).flat();
}

/** Maximum delay between the end of a stage and the log lines of its steps. */
const maxStepDelayMs = 5;

function isStepOf(stage: EventOf<'stage'>, whole: EventOf<'stage'>): boolean {
  if (stage.took >= whole.took || stage.at - whole.at > maxStepDelayMs) return false;
  // Most of a step is before the end of its stage; a later stage starts after it.
  return whole.at - (stage.at - stage.took) > stage.took / 2;
}

/** Returns a stage and its steps. The steps are placed one after the other, up to the end of the stage. */
function laidOut([stage, ...steps]: readonly EventOf<'stage'>[]): StageSpan[] {
  if (stage === undefined) return [];
  const from = Math.max(0, stage.at - stage.took);
  const to = stage.at;
  let position = Math.max(from, to - steps.reduce((sum, { took }) => sum + took, 0));
  return [
    { stage, from, to, isStep: false },
    ...steps.map((step) => ({ stage: step, from: position, to: (position += step.took), isStep: true })),
  ];
}

function byBegin([one]: readonly StageSpan[], [other]: readonly StageSpan[]): number {
  return (one?.from ?? 0) - (other?.from ?? 0);
}

interface ConsecutiveStage {
  readonly stage: string;
  /** Milliseconds since the first stage began. */
  readonly from: number;
  readonly to: number;
}

/** Places stages one after the other, from their durations in milliseconds. */
export function consecutiveStages(stages: Readonly<Record<string, number>>): ConsecutiveStage[] {
  let position = 0;
  return Object.entries(stages).map(([stage, took]) => ({
    stage,
    from: position,
    to: (position += Math.max(0, took)),
  }));
}
