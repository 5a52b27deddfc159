/** wkhtmltopdf, if it is installed: one process for each document, as usual. */
import { fork, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bundleProgram } from './bundle-program.ts';
import type { Contestant, Preparation } from './contestant.ts';
import { asContestant, openProgram } from './ipc-program.ts';
import { workersVariable } from './wkhtmltopdf-start.ts';

export async function startWkhtmltopdf({ workers, folder }: Preparation): Promise<Contestant | undefined> {
  if (spawnSync('wkhtmltopdf', ['--version']).status !== 0) return undefined;
  const file = await bundleProgram('wkhtmltopdf-loop', join(folder, 'wkhtmltopdf-loop.cjs'));
  const env = { ...process.env, [workersVariable]: String(workers) };
  const program = await openProgram(fork(file, { env, execArgv: [], detached: true }));
  // Its JavaScript is that of 2012, and images need a different program.
  const supports: Contestant['supports'] = ({ scripts, expected, long }) =>
    !scripts && !long && expected.kind === 'pdf';
  return asContestant(program, { name: 'wkhtmltopdf', engine: 'another', folder, supports });
}
