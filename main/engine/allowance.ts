/** How much work for debug logs a window may do: all that single jobs need, and a small share of the time when there are many. */

export interface Allowance {
  /** Whether there is time for something. */
  readonly isLeft: () => boolean;
  /** So many milliseconds were taken. */
  readonly spend: (milliseconds: number) => void;
}

/** `share`: part of the time, as 0.03; `most`: milliseconds that can be saved up, and that there are at first. */
export function openAllowance(
  share: number,
  most: number,
  now: () => number = performance.now.bind(performance),
): Allowance {
  let left = most;
  let counted = now();
  return {
    isLeft() {
      const at = now();
      left = Math.min(most, left + (at - counted) * share);
      counted = at;
      return left > 0;
    },
    spend(milliseconds) {
      left -= milliseconds;
    },
  };
}
