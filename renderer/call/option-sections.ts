/** The form of options in sections: the groups of the table, each with what has an effect now and what has none. Pure. */
import { table, type Group, type OptionName, type OptionRow } from '../../main/job/options.ts';

export interface OptionSection {
  /** `without`: those that are accepted and never change anything. */
  readonly id: Group | 'without';
  readonly rows: readonly OptionName[];
  /** Those that change nothing for the output that is asked for. */
  readonly idle: readonly OptionName[];
}

/** In the order in which a group's first option comes in `names`; those without effect last. */
export function sectionsOf(names: readonly OptionName[], format: string): OptionSection[] {
  const found = new Map<Group | 'without', { rows: OptionName[]; idle: OptionName[] }>();
  const useless = names.filter((name) => rowOf(name).withoutEffect !== undefined);
  for (const name of [...names.filter((other) => !useless.includes(other)), ...useless]) {
    const { group, withoutEffect } = rowOf(name);
    const id = withoutEffect === undefined ? group : 'without';
    const section = found.get(id) ?? { rows: [], idle: [] };
    found.set(id, section);
    const isIdle = id !== 'without' && !hasEffect(name, format);
    (isIdle ? section.idle : section.rows).push(name);
  }
  return [...found].map(([id, section]) => ({ id, ...section }));
}

/** The section an option is in. */
export function sectionOf(name: OptionName): OptionSection['id'] {
  const { group, withoutEffect } = rowOf(name);
  return withoutEffect === undefined ? group : 'without';
}

/** Whether an option can change the output in a format of output_format. */
export function hasEffect(name: OptionName, format: string): boolean {
  const { output, withoutEffect } = rowOf(name);
  if (withoutEffect !== undefined) return false;
  return output === 'both' || (output === 'pdf') === (format.toLowerCase() === 'pdf');
}

function rowOf(name: OptionName): OptionRow {
  return table[name];
}
