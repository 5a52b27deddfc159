/** Describes one setting for the console and `platen config`: its value and where the value comes from. Secrets are masked. */
import type { JsonSchema } from '../fields/kinds.ts';
import { table, type SettingName, type SettingRow } from './table.ts';
import type { RawSettingsByOrigin, SettingOrigin, RawSettings } from './raw-settings.ts';

export interface SettingView {
  readonly name: string;
  readonly description: string;
  /** The allowed values, as text. */
  readonly allowed: string;
  readonly schema: JsonSchema;
  /** The default, as text. */
  readonly default: string;
  /** The effective value as an operator would write it; null if it is not set. A secret is shown as `set`. */
  readonly value: string | null;
  /** The value in config.json, or null; a secret is shown as `set`. */
  readonly written: string | null;
  readonly secret: boolean;
  /** Where the value comes from. If it is a flag or an environment variable, the setting cannot be changed in config.json. */
  readonly origin: SettingOrigin;
}

/** Returns the view of a setting. `file` contains the current values in config.json. */
export function settingView(
  name: SettingName,
  { data, effective }: Pick<RawSettingsByOrigin, 'data' | 'effective'>,
  file: RawSettings,
): SettingView {
  const row: SettingRow = table[name];
  const raw = effective.get(name);
  const value = name === 'data' ? data : (raw?.text ?? row.default);
  return {
    name,
    description: row.description,
    allowed: row.kind.allowed,
    schema: row.kind.schema,
    default: row.defaultDescription ?? row.default ?? '',
    value: displayText(row, value),
    written: displayText(row, file.get(name)?.text),
    secret: row.secret === true,
    origin: raw?.origin ?? 'default',
  };
}

function displayText(row: SettingRow, text: string | undefined): string | null {
  if (text === undefined) return null;
  return row.secret ? 'set' : canonicalSpelling(row, text);
}

/**
 * Returns the text without surrounding spaces. Replaces alternative spellings of enum values with the spelling that the form
 * offers.
 */
function canonicalSpelling({ kind }: SettingRow, text: string): string {
  const words = kind.schema.enum;
  if (words === undefined) return text.trim();
  const value = kind.read(text);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : text.trim();
}
