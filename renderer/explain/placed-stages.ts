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

/** In the order they began. Steps in another thread are told only when all are over: they lie one after the other before that. */
export function placedStages(stages: readonly EventOf<'stage'>[]): PlacedStage[] {
  const all = stages.map((stage) => ({ stage, from: Math.max(0, stage.at - stage.took), to: stage.at }));
  const whole = all.filter((one) => !all.some((other) => isIn(one, other)));
  return whole.toSorted(byBegin).flatMap((one) => [
    { ...one, isStep: false },
    ...inOrder(
      all.filter((other) => isIn(other, one)),
      one,
    ),
  ]);
}

type Span = Omit<PlacedStage, 'isStep'>;

/** Milliseconds between the end of a stage and the lines about its steps. */
const late = 5;

function isIn(one: Span, other: Span): boolean {
  if (one === other || one.stage.took >= other.stage.took) return false;
  const mostly = other.to - one.from > one.stage.took / 2;
  return mostly && one.from >= other.from - 1 && one.to <= other.to + late;
}

function inOrder(steps: readonly Span[], { from, to }: Span): PlacedStage[] {
  const isToldAfter = steps.length > 1 && steps.every((step) => Math.abs(step.to - to) <= late);
  if (!isToldAfter) return steps.toSorted(byBegin).map((step) => ({ ...step, isStep: true }));
  let now = Math.max(from, to - steps.reduce((sum, { stage }) => sum + stage.took, 0));
  return steps.map(({ stage }) => ({ stage, from: now, to: (now += stage.took), isStep: true }));
}

function byBegin(one: Span, other: Span): number {
  return one.from - other.from;
}
