/** The stages of a job one after the other, where only their lengths are known. Pure. */
export interface PlacedStage {
  readonly stage: string;
  /** Milliseconds since the first one began. */
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
