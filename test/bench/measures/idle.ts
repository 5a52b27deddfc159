/** The CPU time and memory of an idle Platen, compared with a bare Electron with as many windows. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openGroup } from '../../soak/processes.ts';
import { startBareElectron } from '../contestants/bare-electron.ts';
import type { Preparation } from '../contestants/contestant.ts';
import { startPlaten } from '../contestants/platen.ts';
import { openGroupTime } from '../group-time.ts';
import { groupMemory } from './group-memory.ts';

export interface Idleness {
  /** Milliseconds of CPU time per second. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
}

export interface IdleFigures {
  readonly windows: number;
  readonly platen: Idleness;
  readonly bare: Idleness;
}

/** Milliseconds until the start-up work has ended, and of the measurement after that. */
const settling = 5000;
const watched = 10_000;

export async function measureIdle({ workers, folder }: Preparation): Promise<IdleFigures> {
  const { windows, platen } = await idlePlaten({ workers, folder: join(folder, 'idle') });
  await using electron = await startBareElectron('navigate', { workers: windows, folder });
  return { windows, platen, bare: await idleness(electron.pid) };
}

async function idlePlaten(preparation: Preparation): Promise<Pick<IdleFigures, 'windows' | 'platen'>> {
  await using platen = await startPlaten(preparation);
  const idle = await idleness(platen.pid);
  return { platen: idle, windows: openGroup(platen.pid).renderers().length };
}

async function idleness(pid: number): Promise<Idleness> {
  await wait(settling);
  const time = openGroupTime(pid);
  const [began, before] = [performance.now(), time.now()];
  await wait(watched);
  const cpu = ((time.now() - before) / (performance.now() - began)) * 1000;
  return { cpu, memory: groupMemory(pid) };
}
