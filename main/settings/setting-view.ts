/** One setting as an operator sees it: what is in force and who decided it, without a secret. */
import type { JsonSchema } from '../fields/kind.ts';
import { table, type SettingName, type SettingRow } from './table.ts';
import type { AllWritten, Origin, Written } from './written.ts';

export interface SettingView {
  readonly name: string;
  readonly says: string;
  /** What is allowed, in words. */
  readonly allowed: string;
  readonly schema: JsonSchema;
  /** What it is when nobody says anything, in words. */
  readonly default: string;
  /** In force, as an operator would write it; null for one that is not set. A secret is only said to be `set`. */
  readonly value: string | null;
  /** What the file says, where it says something; a secret: `set`. */
  readonly written: string | null;
  readonly secret: boolean;
  /** A flag or a variable beats the file, so that one cannot be changed there. */
  readonly from: Origin;
}

/** `file`: what config.json says by now. */
export function settingView(
  name: SettingName,
  { data, written }: Pick<AllWritten, 'data' | 'written'>,
  file: Written,
): SettingView {
  const row: SettingRow = table[name];
  const given = written.get(name);
  const value = name === 'data' ? data : (given?.text ?? row.default);
  return {
    name,
    says: row.says,
    allowed: row.kind.allowed,
    schema: row.kind.schema,
    default: row.defaultSays ?? row.default ?? '',
    value: shown(row, value),
    written: shown(row, file.get(name)?.text),
    secret: row.secret === true,
    from: given?.from ?? 'default',
  };
}

function shown(row: SettingRow, text: string | undefined): string | null {
  if (text === undefined) return null;
  return row.secret ? 'set' : spelt(row, text);
}

/** As it was written; a word that has several spellings in the one its form offers. */
function spelt({ kind }: SettingRow, text: string): string {
  const words = kind.schema.enum;
  if (words === undefined) return text.trim();
  const value = kind.read(text);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : text.trim();
}
