/**
 * The candidates `loop` and `written`, to which Platen is compared: a minimal application in the same Electron (loop-program.ts).
 */
import { startBareElectron } from './bare-electron.ts';
import type { Candidate, Preparation } from './candidate.ts';
import { asCandidate } from './ipc-program.ts';
import type { LoopMode } from './loop-start.ts';

const names = { navigate: 'loop', write: 'written' } as const;

export async function startLoop(mode: LoopMode, preparation: Preparation): Promise<Candidate> {
  const electron = await startBareElectron(mode, preparation);
  // The service writes only static documents into an open page, so a comparison with other documents would be unfair.
  const supports: Candidate['supports'] = ({ scripts, by, fields }) =>
    fields === undefined && (mode === 'navigate' || (!scripts && by === undefined));
  return asCandidate(electron, { name: names[mode], folder: preparation.folder, supports });
}
