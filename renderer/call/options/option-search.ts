/** Finds options by name, alias, value or a word of the description. Pure. */
import { nearestName } from '../../../main/fields/nearest.ts';
import { table, type OptionName, type OptionRow } from '../../../main/job/options.ts';

/** The `names` that match every word of the query, best first; matches in the name come before all others. */
export function searchOptions(query: string, names: readonly OptionName[]): OptionName[] {
  const words = wordsOf(query);
  return names
    .map((name) => ({ name, rank: rankOf(name, words) }))
    .filter((hit): hit is { name: OptionName; rank: number } => hit.rank !== undefined)
    .sort((a, b) => a.rank - b.rank)
    .map(({ name }) => name);
}

/** The closest option name for a query without a match. */
export function nearestOption(query: string, names: readonly OptionName[]): OptionName | undefined {
  return nearestName(wordsOf(query).join('_'), names) as OptionName | undefined;
}

/** Splits `marginTop`, `margin-top` and `margin top` into the same words. Ignores the text after `=`, which is a value. */
function wordsOf(text: string): string[] {
  return text
    .replace(/=.*/s, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[\s_,;-]+/)
    .filter((word) => word !== '');
}

function rankOf(name: OptionName, words: readonly string[]): number | undefined {
  const ranks = words.map((word) => rankOfWord(name, word));
  if (words.length === 0 || ranks.includes(undefined)) return undefined;
  const isName = words.join('_') === name ? 0 : 1;
  return isName + ranks.reduce<number>((sum, rank) => sum + (rank ?? 0), 0) / words.length;
}

/** The rank of a match: 0 at the start of the name, 6 somewhere in the description; undefined if the word does not match. */
function rankOfWord(name: OptionName, word: string): number | undefined {
  const { description, group, aliases = [], kind }: OptionRow = table[name];
  const places = [
    name.startsWith(word),
    name.split('_').some((part) => part.startsWith(word)),
    name.includes(word),
    aliases.some((alias) => alias.includes(word)),
    kind.schema.enum?.some((value) => value.toLowerCase().includes(word)),
    wordsOf(`${description} ${group}`).some((part) => part.startsWith(word)),
    description.toLowerCase().includes(word),
  ];
  const rank = places.indexOf(true);
  return rank < 0 ? undefined : rank;
}
