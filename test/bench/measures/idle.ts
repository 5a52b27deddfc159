/** Measures the CPU time and memory of Platen when idle, and of a minimal Electron application with the same number of windows. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openGroup } from '../../soak/processes.ts';
import { startBareElectron } from '../candidates/bare-electron.ts';
import type { Preparation } from '../candidates/candidate.ts';
import { startPlaten } from '../candidates/platen.ts';
import { openGroupTime } from '../group-time.ts';
import { groupMemory } from './group-memory.ts';

export interface IdleUsage {
  /** Milliseconds of CPU time per second. */
  readonly cpu: number;
  /** In bytes. */
  readonly memory: number;
}

export interface IdleFigures {
  readonly windows: number;
  readonly platen: IdleUsage;
  readonly bare: IdleUsage;
}

/** By this time, the service and the launcher have collected the garbage of the start. */
const startUpMs = 45_000;
const measurementMs = 10_000;

export async function measureIdle({ workers, folder }: Preparation): Promise<IdleFigures> {
  const { windows, platen } = await idlePlaten({ workers, folder: join(folder, 'idle') });
  await using electron = await startBareElectron('navigate', { workers: windows, folder });
  return { windows, platen, bare: await measureUsage(electron.pid) };
}

async function idlePlaten(preparation: Preparation): Promise<Pick<IdleFigures, 'windows' | 'platen'>> {
  await using platen = await startPlaten(preparation);
  const idle = await measureUsage(platen.pid);
  return { platen: idle, windows: openGroup(platen.pid).renderers().length };
}

async function measureUsage(pid: number): Promise<IdleUsage> {
  await wait(startUpMs);
  const time = openGroupTime(pid);
  const began = performance.now();
  const before = time.now();
  await wait(measurementMs);
  const cpu = ((time.now() - before) / (performance.now() - began)) * 1000;
  return { cpu, memory: groupMemory(pid) };
}
