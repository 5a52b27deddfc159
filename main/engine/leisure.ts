/** Time for what is worth it in the debug log of a job that is alone, and would cost all others too much. */
import type { WindowRun } from './engine.ts';
import { gather } from './gather.ts';
import type { Look } from './programs/look.ts';
import type { EngineWindow } from './window.ts';

export interface Leisure {
  readonly spend: (milliseconds: number) => void;
}

/** What was seen of a page, and the leisure for more. */
export interface Looked extends Look {
  readonly leisure: Leisure;
}

/** All there is for a job that is alone, and for others while the window's allowance lasts; else undefined, and a note. */
export function leisureFor({ allowance }: EngineWindow, run: WindowRun): Leisure | undefined {
  if (run.alone()) return { spend() {} };
  if (allowance.isLeft()) return allowance;
  run.log.note(
    'The page itself was not looked at (its picture, fonts, images, encoding, what is too wide and what page breaks cut), because many jobs with debug logs were under way. Try it alone.',
    { code: 'not-looked-at' },
  );
  return undefined;
}

export interface Expense<T> {
  readonly stage: string;
  /** As usual, from measurements. */
  readonly milliseconds: number;
  readonly work: () => Promise<T>;
}

/** A busy machine takes longer, which is not the work's fault. */
const slowest = 3;

/** The same where there is leisure. @throws the signal's reason */
export async function gatherAtLeisure<T>(
  run: WindowRun,
  leisure: Leisure,
  { stage, milliseconds, work }: Expense<T>,
): Promise<T | undefined> {
  const began = performance.now();
  try {
    return await gather(run, stage, work);
  } finally {
    leisure.spend(Math.min(performance.now() - began, milliseconds * slowest));
  }
}
