/**
 * The candidates `loop`, `leaving` and `written`, to which Platen is compared: a minimal application in the same Electron (loop-program.ts).
 */
import { startBareElectron } from './bare-electron.ts';
import type { Candidate, Preparation } from './candidate.ts';
import { asCandidate } from './ipc-program.ts';
import type { LoopMode } from './loop-start.ts';

const names = { navigate: 'loop', leave: 'leaving', write: 'written' } as const;

export async function startLoop(mode: LoopMode, preparation: Preparation): Promise<Candidate> {
  const electron = await startBareElectron(mode, preparation);
  // The service writes only static documents into an open page and leaves the pages of all others, so a comparison with other
  // documents would be unfair.
  const supports: Candidate['supports'] = ({ scripts, by, fields, expected, long }) => {
    const isStatic = !scripts && by === undefined;
    const isComparable = { navigate: true, leave: !isStatic || expected.kind === 'image', write: isStatic };
    return fields === undefined && isComparable[mode] && !(mode === 'leave' && long);
  };
  return asCandidate(electron, { name: names[mode], folder: preparation.folder, supports });
}
