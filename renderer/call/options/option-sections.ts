/**
 * The sections of the options form: one for each group of the option table, and one for options that never have an effect. Pure
 * functions.
 */
import { table, type OptionGroup, type OptionName, type OptionRow } from '../../../main/job/options.ts';
import type { TextKey } from '../../texts/text.ts';

export interface OptionSection {
  /** The group, or `without` for the options that are accepted but never have an effect. */
  readonly id: OptionGroup | 'without';
  readonly rows: readonly OptionName[];
  /** Options of the group that have no effect with the selected output format. */
  readonly withoutEffect: readonly OptionName[];
}

/** The title of each section. */
export const sectionTitles: Readonly<Record<OptionSection['id'], TextKey>> = {
  Input: 'options.group.input',
  Data: 'options.group.data',
  Format: 'options.group.format',
  Page: 'options.group.page',
  'Header and footer': 'options.group.headerFooter',
  Loading: 'options.group.loading',
  Rendering: 'options.group.rendering',
  'Watermark and background': 'options.group.stamps',
  'Images in the PDF': 'options.group.pdf.images',
  PDF: 'options.group.pdf',
  Attachments: 'options.group.attachments',
  Signature: 'options.group.signature',
  Viewer: 'options.group.viewer',
  'Fine tuning': 'options.group.fine',
  Image: 'options.group.image',
  Log: 'options.group.log',
  without: 'options.group.without',
};

/** Returns the sections, in the order in which `names` first mentions their groups. Options that never have an effect come last. */
export function sectionsOf(names: readonly OptionName[], format: string): OptionSection[] {
  const byId = new Map<OptionGroup | 'without', { rows: OptionName[]; withoutEffect: OptionName[] }>();
  const neverEffective = names.filter((name) => rowOf(name).noEffectReason !== undefined);
  for (const name of [...names.filter((other) => !neverEffective.includes(other)), ...neverEffective]) {
    const { group, noEffectReason } = rowOf(name);
    const id = noEffectReason === undefined ? group : 'without';
    const section = byId.get(id) ?? { rows: [], withoutEffect: [] };
    byId.set(id, section);
    const hasNoEffect = id !== 'without' && !hasEffect(name, format);
    (hasNoEffect ? section.withoutEffect : section.rows).push(name);
  }
  return [...byId].map(([id, section]) => ({ id, ...section }));
}

/** Returns the id of the section that contains an option. */
export function sectionOf(name: OptionName): OptionSection['id'] {
  const { group, noEffectReason } = rowOf(name);
  return noEffectReason === undefined ? group : 'without';
}

/** Returns whether an option can change the output in the given output format. */
export function hasEffect(name: OptionName, format: string): boolean {
  const { output, noEffectReason } = rowOf(name);
  if (noEffectReason !== undefined) return false;
  return output === 'both' || (output === 'pdf') === (format.toLowerCase() === 'pdf');
}

function rowOf(name: OptionName): OptionRow {
  return table[name];
}
