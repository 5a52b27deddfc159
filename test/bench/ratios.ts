/**
 * The ratios that the short run checks. Both values of a ratio are from the same run, so they do not depend on the machine's speed.
 */
import { standingIn, type Standing } from './standings.ts';
import { pairedRatio } from './statistics.ts';

/** A comparison of Platen with the loop. A higher value is better. */
export interface Ratio {
  readonly document: string;
  readonly what: string;
  readonly value: number;
}

/** Returns the ratios of Platen to the loop, for each document. @throws Error if there are none */
export function ratiosOf(standings: readonly Standing[]): Ratio[] {
  const ratios = standings
    .filter(({ candidate }) => candidate === 'platen')
    .flatMap((platen) => {
      const loop = standingIn(standings, { ...platen, candidate: 'loop' });
      return loop === undefined ? [] : compared(platen, loop);
    });
  if (ratios.length === 0) throw new Error('nothing was measured');
  return ratios;
}

function compared(platen: Standing, loop: Standing): Ratio[] {
  const { document, callers } = platen;
  const rate = { document, what: `jobs/s at callers: ${callers}, Platen / loop` };
  const rates = { ...rate, value: pairedRatio(platen.rates, loop.rates) };
  if (callers === 1) return [rates];
  // Other work on the machine changes this value only slightly.
  const time = { document, what: 'processor time of a job, loop / Platen' };
  return [rates, { ...time, value: pairedRatio(loop.cpu, platen.cpu) }];
}
