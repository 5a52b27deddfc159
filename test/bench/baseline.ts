/**
 * Compares the ratios of a run with the committed baseline. Documents with a regression are measured again, because timings vary.
 */
import type { Ratio } from './ratios.ts';

/** The fraction by which a ratio may be below its baseline. */
export const allowedRegression = 0.25;

/** Returns the ratios that regressed or were not measured, with a message for each. @throws Error if the baseline is empty */
export function regressions(measured: readonly Ratio[], baseline: readonly Ratio[]): Regression[] {
  if (baseline.length === 0)
    throw new Error('the baseline is empty; create it: npm run bench -- --write-baseline');
  return baseline.flatMap((expected) => {
    const { document, what, value } = expected;
    const is = measured.find((ratio) => isSame(ratio, expected))?.value;
    if (is !== undefined && is >= value * (1 - allowedRegression)) return [];
    const result = is === undefined ? 'was not measured' : `is ${is.toFixed(2)}`;
    return [{ document, sentence: `${document}, ${what}: ${result}; the baseline is ${value.toFixed(2)}` }];
  });
}

export interface Regression {
  readonly document: string;
  readonly sentence: string;
}

/** The maximum number of measurements of a document, including the first one. */
const attempts = 3;

/** Calls `measure` again for documents with a regression. Returns a message for each ratio that regressed in every attempt. */
export async function compareWithBaseline(
  baseline: readonly Ratio[],
  measure: (documents: readonly string[]) => Promise<readonly Ratio[]>,
): Promise<string[]> {
  let best: readonly Ratio[] = [];
  let regressed: Regression[] = [];
  let documents = [...new Set(baseline.map(({ document }) => document))];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    best = bestOf(best, await measure(documents));
    regressed = regressions(best, baseline);
    if (regressed.length === 0) return [];
    documents = [...new Set(regressed.map(({ document }) => document))];
  }
  return regressed.map(({ sentence }) => sentence);
}

function bestOf(before: readonly Ratio[], now: readonly Ratio[]): Ratio[] {
  const others = before.filter((ratio) => !now.some((current) => isSame(ratio, current)));
  const better = now.map((ratio) => {
    const earlier = before.find((previous) => isSame(ratio, previous));
    return earlier !== undefined && earlier.value > ratio.value ? earlier : ratio;
  });
  return [...others, ...better];
}

function isSame(left: Ratio, right: Ratio): boolean {
  return left.document === right.document && left.what === right.what;
}
