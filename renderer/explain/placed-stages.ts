/** The stages of a log on one axis of time, with the steps that one of them was made of. Pure. */
import type { EventOf } from '../../main/log/select-events.ts';

export interface PlacedStage {
  readonly stage: EventOf<'stage'>;
  /** Milliseconds since the job began. */
  readonly from: number;
  readonly to: number;
  /** It is a step of another stage, which stands before it. */
  readonly isStep: boolean;
}

/** In the order they began. The steps of a stage in another thread are told right after it, when all are over. */
export function placedStages(stages: readonly EventOf<'stage'>[]): PlacedStage[] {
  const groups: EventOf<'stage'>[][] = [];
  for (const stage of stages) {
    const group = groups.at(-1);
    const [whole] = group ?? [];
    if (group !== undefined && whole !== undefined && isStepOf(stage, whole)) group.push(stage);
    else groups.push([stage]);
  }
  return groups.map(laidOut).toSorted(byBegin).flat();
}

/** Milliseconds between the end of a stage and the lines about its steps. */
const late = 5;

function isStepOf(stage: EventOf<'stage'>, whole: EventOf<'stage'>): boolean {
  if (stage.took >= whole.took || stage.at - whole.at > late) return false;
  // What follows it begins after its end.
  return whole.at - (stage.at - stage.took) > stage.took / 2;
}

/** Steps lie one after the other before the end of their stage. */
function laidOut([stage, ...steps]: readonly EventOf<'stage'>[]): PlacedStage[] {
  if (stage === undefined) return [];
  const [from, to] = [Math.max(0, stage.at - stage.took), stage.at];
  let now = Math.max(from, to - steps.reduce((sum, { took }) => sum + took, 0));
  return [
    { stage, from, to, isStep: false },
    ...steps.map((step) => ({ stage: step, from: now, to: (now += step.took), isStep: true })),
  ];
}

function byBegin([one]: readonly PlacedStage[], [other]: readonly PlacedStage[]): number {
  return (one?.from ?? 0) - (other?.from ?? 0);
}
