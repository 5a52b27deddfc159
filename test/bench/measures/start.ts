/**
 * Measures the time from start to ready of Platen, and of a minimal Electron application with one window. Both start an X server if
 * there is no display.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startBareElectron } from '../candidates/bare-electron.ts';
import type { Preparation } from '../candidates/candidate.ts';
import { startPlaten } from '../candidates/platen.ts';

export interface StartFigures {
  /** In milliseconds, one value for each round. */
  readonly platen: readonly number[];
  readonly bare: readonly number[];
}

/** How long Platen runs after its first start, to write the code cache that later starts read (main/launch/code-cache.ts). */
const codeCacheMs = 6000;

/** Measures `rounds` starts of each, after a first round that fills the caches and is not counted. */
export async function measureStart(preparation: Preparation, rounds = 5): Promise<StartFigures> {
  const platen: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const folder = join(preparation.folder, `start-${round}`);
    const times = [
      await timePlaten({ ...preparation, folder }, round === 0 ? codeCacheMs : 0),
      await timeBare({ workers: 1, folder }),
    ];
    if (round === 0) continue;
    platen.push(times[0] ?? NaN);
    bare.push(times[1] ?? NaN);
  }
  return { platen, bare };
}

async function timePlaten(preparation: Preparation, keepOpenMs: number): Promise<number> {
  const began = performance.now();
  await using platen = await startPlaten(preparation);
  await untilReady(`${platen.url}/ready`);
  const took = performance.now() - began;
  await wait(keepOpenMs);
  return took;
}

async function untilReady(url: string): Promise<void> {
  while (!(await fetch(url)).ok);
}

async function timeBare(preparation: Preparation): Promise<number> {
  const began = performance.now();
  await using _electron = await startBareElectron('navigate', preparation);
  return performance.now() - began;
}
