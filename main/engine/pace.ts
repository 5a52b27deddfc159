/** How long jobs have taken lately, for those who must come again later. */

export interface Pace {
  /** Milliseconds of a job that is over. */
  readonly took: (milliseconds: number) => void;
  /** Whole seconds that so many jobs, one after the other, will take: 1 to 60. */
  readonly secondsFor: (jobs: number) => number;
}

/** The last ten jobs or so count. */
const weight = 0.1;
const [shortest, longest] = [1, 60];

export function openPace(): Pace {
  let usual: number | undefined;
  return {
    took(milliseconds) {
      usual = usual === undefined ? milliseconds : usual + weight * (milliseconds - usual);
    },
    secondsFor: (jobs) => Math.min(longest, Math.max(shortest, Math.ceil(((usual ?? 0) * jobs) / 1000))),
  };
}
