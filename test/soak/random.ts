/** Generates reproducible random numbers from a seed. */

export type Random = () => number;

/** Returns a generator of numbers from 0 (inclusive) to 1 (exclusive), with the algorithm mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns the generator for a job, which does not depend on the order of the jobs. */
export function randomOfJob(seed: number, number: number): Random {
  return randomOf(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number, 0xc2b2ae35));
}

export function pick<T>(choices: readonly T[], random: Random): T {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new Error('nothing to choose from');
  return choice;
}

export function shuffled<T>(things: readonly T[], random: Random): T[] {
  return things
    .map((thing) => ({ thing, place: random() }))
    .sort((left, right) => left.place - right.place)
    .map(({ thing }) => thing);
}
