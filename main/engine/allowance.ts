/** How much work for debug logs a window may do: all that single jobs need, and a small share of the time when there are many. */

export interface Allowance {
  /** Takes so many milliseconds, as estimated; false when they are not left, and then nothing is taken. */
  readonly take: (milliseconds: number) => boolean;
}

/** `share`: part of the time, as 0.03; `most`: milliseconds that may be saved up, and that there are at first. */
export function openAllowance(
  share: number,
  most: number,
  now: () => number = performance.now.bind(performance),
): Allowance {
  let left = most;
  let counted = now();
  return {
    take(milliseconds) {
      const at = now();
      left = Math.min(most, left + (at - counted) * share);
      counted = at;
      if (milliseconds > left) return false;
      left -= milliseconds;
      return true;
    },
  };
}
