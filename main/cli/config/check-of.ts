/** What `platen config check` looks at: each check is one file in `checks/`. */
import type { LoadedSettings } from '../../settings/load.ts';

export interface Scene {
  readonly settings: LoadedSettings;
  /** The process that works with the data folder now, if any does. */
  readonly user: number | undefined;
}

export interface Warned {
  readonly warning: string;
}

type Found = string | Warned | undefined;

export interface ConfigCheck {
  readonly name: string;
  /** Whole sentences about what is well; undefined when there was nothing to look at. @throws, or rejects, Error whose message says what is wrong and what to change */
  readonly run: (scene: Scene) => Found | Promise<Found>;
}

export interface CheckResult {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly says: string;
}

/** Undefined when there was nothing to look at. Never rejects. */
export async function resultOf({ name, run }: ConfigCheck, scene: Scene): Promise<CheckResult | undefined> {
  try {
    const found = await run(scene);
    if (found === undefined) return undefined;
    if (typeof found === 'string') return { name, state: 'ok', says: found };
    return { name, state: 'warning', says: found.warning };
  } catch (problem) {
    return { name, state: 'failed', says: problem instanceof Error ? problem.message : String(problem) };
  }
}
