/** The candidates by name, in the order of the report. */
import type { Candidate, Preparation } from './candidate.ts';
import { startLoop } from './loop.ts';
import { startPlaten } from './platen.ts';
import { startPeer, startPeerLoop } from './puppeteer.ts';
import { startWkhtmltopdf } from './wkhtmltopdf.ts';

/** Returns undefined if the packages or programs of a candidate are not installed. */
type Start = (preparation: Preparation) => Promise<Candidate | undefined>;

const starts: Readonly<Record<string, Start>> = {
  platen: startPlaten,
  loop: (preparation) => startLoop('navigate', preparation),
  written: (preparation) => startLoop('write', preparation),
  peer: startPeer,
  'peer-loop': startPeerLoop,
  wkhtmltopdf: startWkhtmltopdf,
};

export const candidateNames: readonly string[] = Object.keys(starts);

export interface Candidates extends AsyncDisposable {
  readonly all: readonly Candidate[];
  /** Sentences about the candidates that are not available. */
  readonly leftOut: readonly string[];
}

/** @throws Error for an unknown name or a candidate that does not start, after stopping the ones that have started */
export async function startCandidates(
  names: readonly string[],
  preparation: Preparation,
): Promise<Candidates> {
  const all: Candidate[] = [];
  const leftOut: string[] = [];
  const stop = async () => {
    for (const candidate of all.toReversed()) await candidate[Symbol.asyncDispose]();
  };
  try {
    for (const name of names) {
      const candidate = await startOf(name)(preparation);
      if (candidate === undefined) leftOut.push(`${name} is left out: it is not installed.`);
      else all.push(candidate);
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
  throw new Error(`there is no candidate '${name}'; known candidates: ${candidateNames.join(', ')}`);
}
