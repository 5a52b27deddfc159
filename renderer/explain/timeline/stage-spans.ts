/** Places the stages of a job on one time axis, from the events of its log or from their durations alone. Pure. */
import type { EventOf } from '../../../main/log/events.ts';

export interface StageSpan {
  readonly stage: EventOf<'stage'>;
  /** Milliseconds since the job began. */
  readonly from: number;
  readonly to: number;
  /** A step of the stage before it. */
  readonly isStep: boolean;
}

/**
 * In order of their start. The steps of a stage that runs in another thread follow it in the log, because they are logged at its
 * end.
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

/** Maximum delay between the end of a stage and the log lines of its steps, in milliseconds. */
const late = 5;

function isStepOf(stage: EventOf<'stage'>, whole: EventOf<'stage'>): boolean {
  if (stage.took >= whole.took || stage.at - whole.at > late) return false;
  // A later stage, unlike a step, starts after the end of this one.
  return whole.at - (stage.at - stage.took) > stage.took / 2;
}

/** Steps are laid out one after the other, up to the end of their stage. */
function laidOut([stage, ...steps]: readonly EventOf<'stage'>[]): StageSpan[] {
  if (stage === undefined) return [];
  const from = Math.max(0, stage.at - stage.took);
  const to = stage.at;
  let now = Math.max(from, to - steps.reduce((sum, { took }) => sum + took, 0));
  return [
    { stage, from, to, isStep: false },
    ...steps.map((step) => ({ stage: step, from: now, to: (now += step.took), isStep: true })),
  ];
}

function byBegin([one]: readonly StageSpan[], [other]: readonly StageSpan[]): number {
  return (one?.from ?? 0) - (other?.from ?? 0);
}

export interface ConsecutiveStage {
  readonly stage: string;
  /** Milliseconds since the first stage began. */
  readonly from: number;
  readonly to: number;
}

export function consecutiveStages(stages: Readonly<Record<string, number>>): ConsecutiveStage[] {
  let now = 0;
  return Object.entries(stages).map(([stage, took]) => ({
    stage,
    from: now,
    to: (now += Math.max(0, took)),
  }));
}
