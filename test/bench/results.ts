/** The results of a run, as stored in JSON. */
import { arch, cpus, release, totalmem } from 'node:os';
import { readFileSync } from 'node:fs';
import type { IdleFigures } from './measures/idle.ts';
import type { LongMemoryFigures } from './measures/long-memory.ts';
import type { MemoryFigures } from './measures/memory.ts';
import type { Profile } from './measures/profile.ts';
import type { StartFigures } from './measures/start.ts';
import type { TwoWindowsFigures } from './measures/two-windows.ts';
import type { Standing } from './standings.ts';

export interface BenchmarkResults {
  readonly machine: Machine;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly run: {
    readonly workers: number;
    readonly rounds: number;
    /** The duration of a lap in milliseconds. */
    readonly lap: number;
    readonly electron: string;
    /** A message for each candidate that was not available. */
    readonly leftOut: readonly string[];
  };
  readonly standings: readonly Standing[];
  readonly profiles: readonly Profile[];
  readonly memory?: MemoryFigures;
  readonly idle?: IdleFigures;
  readonly start?: StartFigures;
  readonly longMemory?: LongMemoryFigures;
  readonly twoWindows?: TwoWindowsFigures;
  /** A message for each failure. A failed lap is included in the figures only if its repetition succeeded. */
  readonly failures: readonly string[];
}

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  /** In bytes. */
  readonly memory: number;
  readonly system: string;
}

export function thisMachine(): Machine {
  const all = cpus();
  return {
    cores: all.length,
    processor: all[0]?.model.trim() ?? 'unknown',
    memory: totalmem(),
    system: `${distribution()}, Linux ${release()} ${arch()}`,
  };
}

function distribution(): string {
  try {
    const osRelease = readFileSync('/etc/os-release', 'utf8');
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(osRelease)?.[1] ?? 'Linux';
  } catch {
    return 'Linux';
  }
}
