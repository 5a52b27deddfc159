/** The candidate `weasyprint`: Python processes that stay open. Undefined if WeasyPrint is not installed. */
import { fork, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleProgram } from './bundle-program.ts';
import type { Candidate, Preparation } from './candidate.ts';
import { asCandidate, openProgram } from './ipc-program.ts';
import { pythonVariable, workersVariable } from './process-start.ts';

export async function startWeasyprint({ workers, folder }: Preparation): Promise<Candidate | undefined> {
  const python = interpreter();
  if (python === undefined) return undefined;
  const file = await bundleProgram('weasyprint-loop', join(folder, 'weasyprint-loop.cjs'));
  const env = { ...process.env, [workersVariable]: String(workers), [pythonVariable]: python };
  const program = await openProgram(fork(file, { env, execArgv: [], detached: true }));
  // It runs no scripts and makes no images.
  const supports: Candidate['supports'] = ({ scripts, expected, long, by, fields }) =>
    fields === undefined && by !== 'url' && !scripts && !long && expected.kind === 'pdf';
  return asCandidate(program, { name: 'weasyprint', engine: 'another', folder, supports });
}

/** Returns the Python in which the program `weasyprint` runs; another one may not find its modules. */
function interpreter(): string | undefined {
  const found = spawnSync('sh', ['-c', 'command -v weasyprint'], { encoding: 'utf8' }).stdout.trim();
  return found === '' ? undefined : /^#! *(\S+)/.exec(readFileSync(found, 'utf8'))?.[1];
}
