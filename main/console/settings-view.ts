/** The settings as an operator sees them: what is in force and who decided it, and what config.json says by now. */
import { isDeepStrictEqual } from 'node:util';
import { loadSettings } from '../settings/load.ts';
import { SettingProblem } from '../settings/setting-problem.ts';
import { settingView } from '../settings/setting-view.ts';
import { settingNames, table, type SettingName, type SettingRow } from '../settings/table.ts';
import { configPath, readWritten, type AllWritten, type Written } from '../settings/written.ts';
import type { SettingsView } from './contract.ts';

export interface SettingsParts {
  /** As this service read them when it started. */
  readonly inForce: AllWritten;
  /** Which the next start reads too. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether there is a launcher that would start the service anew. */
  readonly restartable: boolean;
}

export function settingsView({ inForce, environment, restartable }: SettingsParts): SettingsView {
  const next = readNext(environment);
  return {
    settings: settingNames.map((name) => settingView(name, inForce, next.file)),
    file: configPath(inForce.data),
    restartNeeded: next.problem === undefined && settingNames.some((name) => differs(name, inForce, next)),
    restartable,
    ...(next.problem !== undefined && { problem: next.problem }),
  };
}

interface Next {
  readonly written: Written;
  readonly file: Written;
  /** Why a start would fail for it. */
  readonly problem?: string;
}

/** What a start would find now. A file that cannot be used is shown as far as it can be read. */
function readNext(environment: SettingsParts['environment']): Next {
  let next: Next = { written: new Map(), file: new Map() };
  try {
    next = readWritten({ flags: [], environment });
    loadSettings({ flags: [], environment });
    return next;
  } catch (problem) {
    if (problem instanceof SettingProblem) return { ...next, problem: problem.message };
    throw problem;
  }
}

function differs(name: SettingName, before: Pick<AllWritten, 'written'>, next: Next): boolean {
  const [old, now] = [before, next].map(({ written }) => written.get(name)?.text);
  return old !== now && !isDeepStrictEqual(valueOf(name, old), valueOf(name, now));
}

function valueOf(name: SettingName, text: string | undefined): unknown {
  const row: SettingRow = table[name];
  const value = text ?? row.default;
  return value === undefined ? undefined : row.kind.read(value);
}
