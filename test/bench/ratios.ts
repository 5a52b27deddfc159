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
  const ratios = standings
    .filter(({ contestant }) => contestant === 'platen')
    .flatMap((own) => {
      const loop = standingIn(standings, { ...own, contestant: 'loop' });
      return loop === undefined ? [] : compared(own, loop);
    });
  if (ratios.length === 0) throw new Error('nothing was measured');
  return ratios;
}

function compared(own: Standing, loop: Standing): Ratio[] {
  const { document, callers } = own;
  const rate = { document, what: `jobs/s at callers: ${callers}, Platen / loop` };
  const rates = { ...rate, value: pairedRatio(own.rates, loop.rates) };
  if (callers === 1) return [rates];
  // A machine with other work makes it longer by little.
  const time = { document, what: 'processor time of a job, loop / Platen' };
  return [rates, { ...time, value: pairedRatio(loop.cpu, own.cpu) }];
}
