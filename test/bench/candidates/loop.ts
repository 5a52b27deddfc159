/**
 * The candidates `loop`, `leaving` and `written`, to which Platen is compared: a minimal application in the same Electron (loop-program.ts).
 */
import { startBareElectron } from './bare-electron.ts';
import type { Candidate, Preparation } from './candidate.ts';
import { asCandidate } from './ipc-program.ts';
import type { BenchDocument } from '../documents/document.ts';
import type { LoopMode } from './loop-start.ts';

const names = { navigate: 'loop', leave: 'leaving', write: 'written' } as const;

export async function startLoop(mode: LoopMode, preparation: Preparation): Promise<Candidate> {
  const electron = await startBareElectron(mode, preparation);
  const supports: Candidate['supports'] = (document) =>
    document.fields === undefined && isComparable(mode, document);
  return asCandidate(electron, { name: names[mode], folder: preparation.folder, supports });
}

/**
 * Returns whether the service handles the document like the loop in this mode: it writes static documents into an open page, and
 * leaves the pages of all others. `leave` is not measured with long documents, for which a navigation takes no noticeable time.
 */
function isComparable(mode: LoopMode, { scripts, by, expected, long }: BenchDocument): boolean {
  const isStatic = !scripts && by === undefined;
  if (mode === 'navigate') return true;
  if (mode === 'write') return isStatic;
  return !long && (!isStatic || expected.kind === 'image');
}
