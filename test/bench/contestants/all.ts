/** The contestants by name, in the order of the report. */
import type { Contestant, Preparation } from './contestant.ts';
import { startLoop } from './loop.ts';
import { startPlaten } from './platen.ts';
import { startPeer, startPeerLoop } from './puppeteer.ts';
import { startWkhtmltopdf } from './wkhtmltopdf.ts';

/** Returns undefined if the packages or programs of a contestant are not installed. */
type Start = (preparation: Preparation) => Promise<Contestant | undefined>;

const starts: Readonly<Record<string, Start>> = {
  platen: startPlaten,
  loop: (preparation) => startLoop('navigate', preparation),
  written: (preparation) => startLoop('write', preparation),
  peer: startPeer,
  'peer-loop': startPeerLoop,
  wkhtmltopdf: startWkhtmltopdf,
};

export const contestantNames: readonly string[] = Object.keys(starts);

export interface Contestants extends AsyncDisposable {
  readonly all: readonly Contestant[];
  /** Sentences about the contestants that are not available. */
  readonly leftOut: readonly string[];
}

/** @throws Error for an unknown name or a contestant that does not start, after it has stopped the others */
export async function startContestants(
  names: readonly string[],
  preparation: Preparation,
): Promise<Contestants> {
  const all: Contestant[] = [];
  const leftOut: string[] = [];
  const stop = async () => {
    for (const contestant of all.toReversed()) await contestant[Symbol.asyncDispose]();
  };
  try {
    for (const name of names) {
      const contestant = await startOf(name)(preparation);
      if (contestant === undefined) leftOut.push(`${name} is left out: it is not installed.`);
      else all.push(contestant);
    }
  } catch (problem) {
    await stop();
    throw problem;
  }
  return { all, leftOut, [Symbol.asyncDispose]: stop };
}

function startOf(name: string): Start {
  const start = Object.hasOwn(starts, name) ? starts[name] : undefined;
  if (start !== undefined) return start;
  throw new Error(`there is no contestant '${name}'; known contestants: ${contestantNames.join(', ')}`);
}
