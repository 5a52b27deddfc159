/** Starts candidates by name. */
import type { Candidate, Preparation } from './candidate.ts';
import { startLoop } from './loop.ts';
import { startPlaten } from './platen.ts';
import { startPeer, startPeerLoop } from './puppeteer.ts';
import { startWeasyprint } from './weasyprint.ts';
import { startWkhtmltopdf } from './wkhtmltopdf.ts';

/** Starts a candidate; undefined if its packages or programs are not installed. */
type StartCandidate = (preparation: Preparation) => Promise<Candidate | undefined>;

const starts: Readonly<Record<string, StartCandidate>> = {
  platen: startPlaten,
  loop: (preparation) => startLoop('navigate', preparation),
  leaving: (preparation) => startLoop('leave', preparation),
  written: (preparation) => startLoop('write', preparation),
  peer: startPeer,
  'peer-loop': startPeerLoop,
  wkhtmltopdf: startWkhtmltopdf,
  weasyprint: startWeasyprint,
};

export const candidateNames: readonly string[] = Object.keys(starts);

export interface Candidates extends AsyncDisposable {
  readonly all: readonly Candidate[];
  /** A message for each candidate that is not available. */
  readonly leftOut: readonly string[];
}

/** @throws Error if a name is unknown or a candidate does not start; the candidates that were started are stopped */
export async function startCandidates(
  names: readonly string[],
  preparation: Preparation,
): Promise<Candidates> {
  const all: Candidate[] = [];
  const unavailable: string[] = [];
  const stop = async () => {
    for (const candidate of all.toReversed()) await candidate[Symbol.asyncDispose]();
  };
  try {
    for (const name of names) {
      const candidate = await startOf(name)(preparation);
      if (candidate === undefined) unavailable.push(`${name} is left out: it is not installed.`);
      else all.push(candidate);
    }
  } catch (problem) {
    await stop();
    throw problem;
  }
  return { all, leftOut: unavailable, [Symbol.asyncDispose]: stop };
}

function startOf(name: string): StartCandidate {
  const start = Object.hasOwn(starts, name) ? starts[name] : undefined;
  if (start !== undefined) return start;
  throw new Error(`there is no candidate '${name}'; known candidates: ${candidateNames.join(', ')}`);
}
