/** The loop in the Electron that set-up chose, as a contestant: the limit that Platen is measured against. */
import { startBareElectron } from './bare-electron.ts';
import type { Contestant, Preparation } from './contestant.ts';
import { asContestant } from './give-orders.ts';
import type { LoopMode } from './loop-start.ts';

const names = { navigate: 'loop', write: 'written' } as const;

export async function startLoop(mode: LoopMode, preparation: Preparation): Promise<Contestant> {
  const electron = await startBareElectron(mode, preparation);
  // Where a page has run scripts nobody's document may be written, so that would be no contest.
  const supports: Contestant['supports'] = ({ scripts }) => mode === 'navigate' || !scripts;
  return asContestant(electron, { name: names[mode], folder: preparation.folder, supports });
}
