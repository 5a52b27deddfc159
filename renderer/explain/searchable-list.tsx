/**
 * A long list with a search field. It shows only its first items until the user clicks "Show all". A page without scripts shows
 * more items, and the number of items that are left out.
 */
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { SearchInput } from '../parts/field.tsx';
import { t } from '../texts/text.ts';
import { useInteraction } from './interaction.ts';

/** The number of items shown before the user clicks "Show all". */
const maxItems = 150;
/** The number of items shown in a page without scripts. */
const maxStaticItems = 400;
/** Lists with fewer items have no search field. */
const minSearchableItems = 8;

interface SearchableListOptions<T> {
  readonly all: readonly T[];
  /** Returns the text of an item in which the search looks for words. */
  readonly wordsOf: (item: T) => string;
  /** Label of the search field. */
  readonly label: string;
}

export function useSearchableList<T>({ all, wordsOf, label }: SearchableListOptions<T>) {
  const isStatic = useInteraction() === undefined;
  const [query, setQuery] = useState('');
  const [shownAll, setShownAll] = useState(false);
  const found = all.filter((item) => containsAllWords(wordsOf(item), query));
  const shown = shownAll ? found : found.slice(0, isStatic ? maxStaticItems : maxItems);
  return {
    found,
    shown,
    /** The search field; undefined for a short list and in a page without scripts. */
    search:
      all.length >= minSearchableItems && !isStatic ? (
        <SearchInput label={label} value={query} onText={setQuery} />
      ) : undefined,
    nothing: found.length === 0 && <p class="soft">{t('explain.nothingFound', { query })}</p>,
    more:
      found.length > shown.length &&
      (isStatic ? (
        <p class="soft">{t('explain.moreInJson', { count: found.length - shown.length })}</p>
      ) : (
        <Button
          onClick={() => {
            setShownAll(true);
          }}
        >
          {t('explain.showAll', { count: found.length })}
        </Button>
      )),
  };
}

export function containsAllWords(text: string, query: string): boolean {
  const lowerCaseText = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowerCaseText.includes(word));
}
