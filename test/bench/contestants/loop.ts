/** The loop in the Electron that bootstrap selected, as a contestant: the upper limit for Platen. */
import { startBareElectron } from './bare-electron.ts';
import type { Contestant, Preparation } from './contestant.ts';
import { asContestant } from './ipc-program.ts';
import type { LoopMode } from './loop-start.ts';

const names = { navigate: 'loop', write: 'written' } as const;

export async function startLoop(mode: LoopMode, preparation: Preparation): Promise<Contestant> {
  const electron = await startBareElectron(mode, preparation);
  // The service never writes a document into a page that ran scripts, so the comparison would be unfair.
  const supports: Contestant['supports'] = ({ scripts }) => mode === 'navigate' || !scripts;
  return asContestant(electron, { name: names[mode], folder: preparation.folder, supports });
}
