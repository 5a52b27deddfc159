/** Finds options by name, alias, value, group or a word of the description. Pure functions. */
import { nearestName } from '../../../main/fields/nearest.ts';
import { table, type OptionName, type OptionRow } from '../../../main/job/options.ts';

/** Returns the `names` that match every word of the query, best match first. Matches in the name come first. */
export function searchOptions(query: string, names: readonly OptionName[]): OptionName[] {
  const words = wordsOf(query);
  return names
    .map((name) => ({ name, rank: rankOf(name, words) }))
    .filter((hit): hit is { name: OptionName; rank: number } => hit.rank !== undefined)
    .sort((a, b) => a.rank - b.rank)
    .map(({ name }) => name);
}

/** Returns the option name closest to a query without a match; undefined if no name is similar. */
export function nearestOption(query: string, names: readonly OptionName[]): OptionName | undefined {
  return nearestName(wordsOf(query).join('_'), names) as OptionName | undefined;
}

/**
 * Splits a string into lower-case words: `marginTop`, `margin-top` and `margin top` give the same words. Ignores text after `=`,
 * which is a value.
 */
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
  const penalty = words.join('_') === name ? 0 : 1;
  return penalty + ranks.reduce<number>((sum, rank) => sum + (rank ?? 0), 0) / words.length;
}

/**
 * Returns the rank of a match, from 0 (start of the name) to 6 (anywhere in the description); undefined if the word does not match.
 */
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
