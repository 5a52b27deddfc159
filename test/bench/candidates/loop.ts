/** The loop in the Electron that bootstrap selected, as a candidate: the upper limit for Platen. */
import { startBareElectron } from './bare-electron.ts';
import type { Candidate, Preparation } from './candidate.ts';
import { asCandidate } from './ipc-program.ts';
import type { LoopMode } from './loop-start.ts';

const names = { navigate: 'loop', write: 'written' } as const;

export async function startLoop(mode: LoopMode, preparation: Preparation): Promise<Candidate> {
  const electron = await startBareElectron(mode, preparation);
  // The service never writes a document into a page that ran scripts, so the comparison would be unfair.
  const supports: Candidate['supports'] = ({ scripts }) => mode === 'navigate' || !scripts;
  return asCandidate(electron, { name: names[mode], folder: preparation.folder, supports });
}
