/** What helps against a failure: the catalogue's remedy, and the option its message names. */
import { catalogue, type CatalogueEntry } from '../../main/failure/catalogue.ts';
import { optionNames, type OptionName } from '../../main/job/options.ts';

/** In English, as the messages of the service are; undefined for a reason that is not in the catalogue. */
export function remedyFor(reason: number): string | undefined {
  const entries: readonly CatalogueEntry[] = Object.values(catalogue);
  return entries.find((entry) => entry.reason === reason)?.remedy;
}

/** Those with an underscore wherever they stand, and any in `of page_size is not allowed`: short ones are words too. */
export function optionsIn(message: string): OptionName[] {
  const words = new Set(message.match(/\b[a-z\d]+(?:_[a-z\d]+)+\b/g));
  const refused = /\bof ([a-z_\d]+) is not\b/.exec(message)?.[1];
  return optionNames.filter((name) => words.has(name) || name === refused);
}
