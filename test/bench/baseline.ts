/** Holds a run's ratios against those that were committed, and gives a noisy machine more than one try. */
import type { Ratio } from './ratios.ts';

/** A ratio may be worse by so much. */
export const allowance = 0.25;

/** A sentence for each ratio that is too much worse, or was not measured. @throws Error when there is nothing to hold it to */
export function regressions(measured: readonly Ratio[], baseline: readonly Ratio[]): Regression[] {
  if (baseline.length === 0)
    throw new Error('the baseline is empty; make it: npm run bench -- --write-baseline');
  return baseline.flatMap((wanted) => {
    const { document, what, value } = wanted;
    const is = measured.find((one) => isSame(one, wanted))?.value;
    if (is !== undefined && is >= value * (1 - allowance)) return [];
    const said = is === undefined ? 'was not measured' : `is ${is.toFixed(2)}`;
    return [{ document, sentence: `${document}, ${what}: ${said}; the baseline is ${value.toFixed(2)}` }];
  });
}

export interface Regression {
  readonly document: string;
  readonly sentence: string;
}

/** How often the documents that fell behind are measured. */
const tries = 3;

/** `measure` is asked for fewer documents each time. Sentences about what stays behind in the best of the tries. */
export async function holdAgainst(
  baseline: readonly Ratio[],
  measure: (documents: readonly string[]) => Promise<readonly Ratio[]>,
): Promise<string[]> {
  let best: readonly Ratio[] = [];
  let behind: Regression[] = [];
  let documents = [...new Set(baseline.map(({ document }) => document))];
  for (let attempt = 0; attempt < tries; attempt += 1) {
    best = bestOf(best, await measure(documents));
    behind = regressions(best, baseline);
    if (behind.length === 0) return [];
    documents = [...new Set(behind.map(({ document }) => document))];
  }
  return behind.map(({ sentence }) => sentence);
}

function bestOf(before: readonly Ratio[], now: readonly Ratio[]): Ratio[] {
  const others = before.filter((one) => !now.some((other) => isSame(one, other)));
  const better = now.map((one) => {
    const earlier = before.find((other) => isSame(one, other));
    return earlier !== undefined && earlier.value > one.value ? earlier : one;
  });
  return [...others, ...better];
}

function isSame(one: Ratio, other: Ratio): boolean {
  return one.document === other.document && one.what === other.what;
}
