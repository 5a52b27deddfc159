/** Lays out the stages of a job one after the other when only their durations are known. Pure. */
export interface PlacedStage {
  readonly stage: string;
  /** Milliseconds since the first stage began. */
  readonly from: number;
  readonly to: number;
}

export function laidOut(stages: Readonly<Record<string, number>>): PlacedStage[] {
  let now = 0;
  return Object.entries(stages).map(([stage, took]) => ({
    stage,
    from: now,
    to: (now += Math.max(0, took)),
  }));
}
