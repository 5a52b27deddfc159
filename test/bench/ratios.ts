/** What the short run is judged by: ratios within one run, which a slow machine does not change. */
import { standingIn, type Standing } from './standings.ts';
import { pairedRatio } from './statistics.ts';

/** More is better. */
export interface Ratio {
  readonly document: string;
  readonly what: string;
  readonly value: number;
}

/** Of Platen against the loop, for each document. @throws Error when there is none */
export function ratiosOf(standings: readonly Standing[]): Ratio[] {
  const documents = [...new Set(standings.map(({ document }) => document))];
  const ratios = documents.flatMap((document) => [
    ...compared(standings, { document, callers: 8, what: 'jobs/s at 8 callers, Platen / loop' }),
    ...compared(standings, { document, callers: 1, what: 'jobs/s at one caller, Platen / loop' }),
  ]);
  if (ratios.length === 0) throw new Error('nothing was measured');
  return ratios;
}

interface Comparison {
  readonly document: string;
  readonly callers: number;
  readonly what: string;
}

function compared(standings: readonly Standing[], { document, callers, what }: Comparison): Ratio[] {
  const own = standingIn(standings, { contestant: 'platen', document, callers });
  const loop = standingIn(standings, { contestant: 'loop', document, callers });
  return own && loop ? [{ document, what, value: pairedRatio(own.rates, loop.rates) }] : [];
}
