/** What the logs and the record of a job may say of its options: no secret, no content. */
import { mask } from '../fields/masked.ts';
import type { Job } from '../job/job.ts';
import { optionNames, table, type OptionRow } from '../job/options.ts';
import { isStored, type Upload } from '../job/option-kinds.ts';
import type { OptionsEvent } from '../log/events.ts';
import { counted } from '../log/findings/phrases.ts';
import { withoutCredentials } from '../log/masking.ts';

export type ShownOption = OptionsEvent['detail']['options'][number];

const longest = 2000;

/** One option's value as it was written, or its upload: secrets masked, contents as their length, files as name and size. */
export function shownValue(row: OptionRow, value: string | Upload): string {
  if (row.secret === true) return mask;
  if (isStored(value)) return `(${counted(value.characters, 'character')})`;
  if (typeof value !== 'string') return `${value.name} (${counted(value.size, 'byte')})`;
  if (row.content === true) return `(${counted(value.length, 'character')})`;
  return withoutCredentials(value.length > longest ? `${value.slice(0, longest)}...` : value);
}

/** Every option in force: what was given, then the defaults. `twin`: absent options mean what the public twin's callers expect. */
export function shownOptions({ written }: Pick<Job, 'written'>, twin: boolean): ShownOption[] {
  const given = [...written].map(([name, value]) => ({
    ...{ name, value: shownValue(table[name], value) },
    from: 'request' as const,
  }));
  const absent = optionNames.flatMap((name): ShownOption[] => {
    const row: OptionRow = table[name];
    const [value, from] =
      twin && row.twinDefault !== undefined
        ? ([row.twinDefault, 'alias'] as const)
        : ([row.default, 'default'] as const);
    return value === undefined || written.has(name) ? [] : [{ name, value, from }];
  });
  return [...given, ...absent];
}
