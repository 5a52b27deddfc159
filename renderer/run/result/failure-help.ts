/** Help for a failed run: the remedy from the catalogue, and the options that the message names. */
import { catalogue, type CatalogueEntry } from '../../../main/failure/catalogue.ts';
import { optionNames, type OptionName } from '../../../main/job/options.ts';

/** Returns the remedy, in English like all messages of the service; undefined for an unknown reason code. */
export function remedyFor(reason: number): string | undefined {
  const entries: readonly CatalogueEntry[] = Object.values(catalogue);
  return entries.find((entry) => entry.reason === reason)?.remedy;
}

/**
 * Returns the options that a message names. An option name without an underscore may also be an ordinary word, so it counts only in
 * the phrase `of <name> is not`.
 */
export function optionsIn(message: string): OptionName[] {
  const words = new Set(message.match(/(?<!\w)[a-z\d]+(?:_[a-z\d]+)+\b/g));
  const refused = /\bof ([a-z_\d]+) is not\b/.exec(message)?.[1];
  return optionNames.filter((name) => words.has(name) || name === refused);
}
