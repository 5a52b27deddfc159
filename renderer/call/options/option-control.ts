/** Derives an option's control and its texts from its row in the table. Pure. */
import { length } from '../../../main/fields/measures.ts';
import { conversionConfig } from '../../../main/job/conversion-config.ts';
import { colour } from '../../../main/job/option-kinds.ts';
import type { OptionRow } from '../../../main/job/options.ts';

export type Control =
  | { readonly is: 'switch' }
  | { readonly is: 'segments' | 'select'; readonly values: readonly string[] }
  | { readonly is: 'text'; readonly unit?: string; readonly numeric?: true }
  | { readonly is: 'colour' | 'file' | 'secret' | 'lines' };

export function controlOf({ kind, default: usual, secret, content }: OptionRow): Control {
  const { type, enum: values, format, pattern } = kind.schema;
  if (format === 'binary') return { is: 'file' };
  if (type === 'boolean')
    // Without a default, false differs from unset.
    return usual === undefined ? { is: 'select', values: ['true', 'false'] } : { is: 'switch' };
  if (values !== undefined) return { is: fewAndShort(values, usual) ? 'segments' : 'select', values };
  if (secret) return { is: 'secret' };
  if (content === true || kind === conversionConfig) return { is: 'lines' };
  if (pattern === colour.schema.pattern) return { is: 'colour' };
  if (type === 'integer') return { is: 'text', numeric: true, ...unitOf(kind.allowed) };
  return { is: 'text', ...(takesLength(pattern) && { unit: 'mm, in, …' }) };
}

/** The placeholder: the default, or else an example. */
export function placeholderOf({ kind, default: usual }: OptionRow): string {
  return usual ?? kind.schema.examples?.at(-1) ?? '';
}

/** Splits the description: its first sentence (with the second if the first is very short), and the rest. */
export function sentencesOf({ description: says }: OptionRow): readonly [first: string, rest: string] {
  const sentences = says.split(/(?<=\.)\s+/);
  const short = (sentences[0] ?? '').length < 16 ? 2 : 1;
  return [sentences.slice(0, short).join(' '), sentences.slice(short).join(' ')];
}

/** Segments cannot be unset, so they are used only if one of the values is the default. */
function fewAndShort(values: readonly string[], usual: string | undefined): boolean {
  return usual !== undefined && values.length > 1 && values.length <= 3 && values.join('').length <= 18;
}

const units: Readonly<Record<string, string>> = {
  ...{ percent: '%', pixels: 'px', milliseconds: 'ms', seconds: 's', 'dots per inch': 'dpi' },
};

function unitOf(allowed: string): { readonly unit?: string } {
  const unit = units[/\(([^)]+)\)$/.exec(allowed)?.[1] ?? ''];
  return unit === undefined ? {} : { unit };
}

function takesLength(pattern = ''): boolean {
  return pattern.includes('(pt|px|mm|cm|in)') && length.schema.pattern?.includes('(pt|px|mm|cm|in)') === true;
}
