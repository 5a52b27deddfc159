/** Starts a minimal application in the Electron that bootstrap selected: windows that convert documents, without Platen. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDisplay } from '../../../main/launch/display.ts';
import { project } from '../../support/service/service.ts';
import { bundleProgram } from './bundle-program.ts';
import type { Preparation } from './candidate.ts';
import { openProgram, type CandidateProgram } from './ipc-program.ts';
import { startVariable, type LoopMode } from './loop-start.ts';

/** Resolves when the windows are open. @throws Error if there is no Electron */
export async function startBareElectron(
  mode: LoopMode,
  { workers, folder }: Preparation,
): Promise<CandidateProgram> {
  const program = await bundleProgram('loop-program', join(project, '.build', 'bench-loop.cjs'));
  const profile = join(folder, `electron-${mode}`);
  mkdirSync(profile, { recursive: true });
  const display = await openDisplay();
  try {
    const electron = await openProgram(
      spawn(executable(), [...switches(), `--user-data-dir=${profile}`, program], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        // A separate process group, so that soak/processes.ts also finds orphaned processes of this Electron.
        detached: true,
        env: {
          ...process.env,
          ...display.environment,
          [startVariable]: JSON.stringify({ mode, windows: workers }),
        },
      }),
    );
    return {
      ...electron,
      async [Symbol.asyncDispose]() {
        await electron[Symbol.asyncDispose]();
        await display[Symbol.asyncDispose]();
      },
    };
  } catch (problem) {
    await display[Symbol.asyncDispose]();
    throw problem;
  }
}

function executable(): string {
  const chosen: unknown = JSON.parse(readFileSync(join(project, '.build', 'runtime.json'), 'utf8'));
  if (typeof chosen === 'object' && chosen !== null && 'electron' in chosen) return String(chosen.electron);
  throw new Error('there is no Electron yet; run: node build/bootstrap.mjs');
}

/** The same switches as for the service (main/launch/service-process.ts). */
function switches(): string[] {
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return [...root, ...(process.platform === 'linux' ? ['--ozone-platform=x11'] : [])];
}
