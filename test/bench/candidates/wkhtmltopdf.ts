/** The candidate `wkhtmltopdf`: one process for each document. Undefined if wkhtmltopdf is not installed. */
import { fork, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bundleProgram } from './bundle-program.ts';
import type { Candidate, Preparation } from './candidate.ts';
import { asCandidate, openProgram } from './ipc-program.ts';
import { workersVariable } from './process-start.ts';

export async function startWkhtmltopdf({ workers, folder }: Preparation): Promise<Candidate | undefined> {
  if (spawnSync('wkhtmltopdf', ['--version']).status !== 0) return undefined;
  const file = await bundleProgram('wkhtmltopdf-loop', join(folder, 'wkhtmltopdf-loop.cjs'));
  const env = { ...process.env, [workersVariable]: String(workers) };
  const program = await openProgram(fork(file, { env, execArgv: [], detached: true }));
  // No scripts, because its JavaScript engine is from 2012. No images, because they need a different program (wkhtmltoimage).
  const supports: Candidate['supports'] = ({ scripts, expected, long, by, fields }) =>
    fields === undefined && by === undefined && !scripts && !long && expected.kind === 'pdf';
  return asCandidate(program, { name: 'wkhtmltopdf', engine: 'another', folder, supports });
}
