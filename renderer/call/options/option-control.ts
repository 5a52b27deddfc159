/** Derives an option's control and its texts from its row in the table. Pure. */
import { length } from '../../../main/fields/measures.ts';
import { conversionConfig } from '../../../main/job/conversion-config.ts';
import { colour } from '../../../main/job/option-kinds.ts';
import type { OptionRow } from '../../../main/job/options.ts';

export type ControlDescription =
  | { readonly kind: 'switch' }
  | { readonly kind: 'segments' | 'select'; readonly values: readonly string[] }
  | { readonly kind: 'text'; readonly unit?: string; readonly numeric?: true }
  | { readonly kind: 'colour' | 'file' | 'secret' | 'lines' };

export function controlOf({ kind, default: defaultValue, secret, content }: OptionRow): ControlDescription {
  const { type, enum: values, format, pattern } = kind.schema;
  if (format === 'binary') return { kind: 'file' };
  if (type === 'boolean')
    // Without a default, the option can be true, false or not set; a switch has only two states.
    return defaultValue === undefined ? { kind: 'select', values: ['true', 'false'] } : { kind: 'switch' };
  if (values !== undefined)
    return { kind: fitsSegments(values, defaultValue) ? 'segments' : 'select', values };
  if (secret) return { kind: 'secret' };
  if (content === true || kind === conversionConfig) return { kind: 'lines' };
  if (pattern === colour.schema.pattern) return { kind: 'colour' };
  if (type === 'integer') return { kind: 'text', numeric: true, ...unitOf(kind.allowed) };
  return { kind: 'text', ...(takesLength(pattern) && { unit: 'mm, in, …' }) };
}

/** The placeholder: the default, or else an example. */
export function placeholderOf({ kind, default: defaultValue }: OptionRow): string {
  return defaultValue ?? kind.schema.examples?.at(-1) ?? '';
}

/** Splits the description: its first sentence (with the second if the first is very short), and the rest. */
export function sentencesOf({ description }: OptionRow): readonly [first: string, rest: string] {
  const sentences = description.split(/(?<=\.)\s+/);
  const firstCount = (sentences[0] ?? '').length < 16 ? 2 : 1;
  return [sentences.slice(0, firstCount).join(' '), sentences.slice(firstCount).join(' ')];
}

/** Segments cannot be unset, so they are used only if one of the values is the default. */
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
  const unit = units[/\(([^)]+)\)$/.exec(allowed)?.[1] ?? ''];
  return unit === undefined ? {} : { unit };
}

function takesLength(pattern = ''): boolean {
  return pattern.includes('(pt|px|mm|cm|in)') && length.schema.pattern?.includes('(pt|px|mm|cm|in)') === true;
}
