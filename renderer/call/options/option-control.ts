/** Derives the control and the texts of an option from its row in the option table. Pure functions. */
import { length } from '../../../main/fields/kinds.ts';
import { conversionConfig } from '../../../main/job/conversion-config.ts';
import { colour } from '../../../main/job/option-kinds.ts';
import type { OptionRow } from '../../../main/job/options.ts';

export type ControlDescription =
  | { readonly kind: 'switch' }
  | { readonly kind: 'segments' | 'select'; readonly values: readonly string[] }
  | { readonly kind: 'text'; readonly unit?: string; readonly numeric?: true }
  | { readonly kind: 'colour' | 'file' | 'files' | 'secret' | 'lines' };

export function controlOf(row: OptionRow): ControlDescription {
  const { kind, default: defaultValue, secret, content, isRepeatable = false } = row;
  const { type, enum: values, format, pattern } = kind.schema;
  if (format === 'binary') return { kind: isRepeatable ? 'files' : 'file' };
  // One value on each line.
  if (isRepeatable) return { kind: 'lines' };
  if (type === 'boolean')
    // Without a default, the option has three states (true, false, not set), but a switch has only two.
    return defaultValue === undefined ? { kind: 'select', values: ['true', 'false'] } : { kind: 'switch' };
  if (values !== undefined)
    return { kind: fitsSegments(values, defaultValue) ? 'segments' : 'select', values };
  if (secret) return { kind: 'secret' };
  if (content === true || kind === conversionConfig) return { kind: 'lines' };
  if (pattern === colour.schema.pattern) return { kind: 'colour' };
  if (type === 'integer') return { kind: 'text', numeric: true, ...unitOf(kind.allowed) };
  return { kind: 'text', ...(takesLength(pattern) && { unit: 'mm, in, …' }) };
}

/** Returns the placeholder: the default, or else an example; empty if there is neither. */
export function placeholderOf({ kind, default: defaultValue }: OptionRow): string {
  return defaultValue ?? kind.schema.examples?.at(-1) ?? '';
}

/**
 * Splits the description into its first sentence and the remaining ones. A very short first sentence is kept together with the
 * second.
 */
export function sentencesOf({ description }: OptionRow): readonly [first: string, rest: string] {
  const sentences = description.split(/(?<=\.)\s+/);
  const firstCount = (sentences[0] ?? '').length < 16 ? 2 : 1;
  return [sentences.slice(0, firstCount).join(' '), sentences.slice(firstCount).join(' ')];
}

/** Returns whether the values fit into segments. Segments cannot be unset, so one of the values must be the default. */
function fitsSegments(values: readonly string[], defaultValue: string | undefined): boolean {
  return (
    defaultValue !== undefined && values.length > 1 && values.length <= 3 && values.join('').length <= 18
  );
}

const units: Readonly<Record<string, string>> = {
  percent: '%',
  pixels: 'px',
  milliseconds: 'ms',
  seconds: 's',
  'dots per inch': 'dpi',
};

function unitOf(allowed: string): { readonly unit?: string } {
  const unit = units[/\(([^()]+)\)$/.exec(allowed)?.[1] ?? ''];
  return unit === undefined ? {} : { unit };
}

function takesLength(pattern = ''): boolean {
  return pattern.includes('(pt|px|mm|cm|in)') && length.schema.pattern?.includes('(pt|px|mm|cm|in)') === true;
}
