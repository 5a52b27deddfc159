/**
 * A long list with a search field that shows only its first items until the user asks for all. In a page without
 * scripts, the rest of the list is only counted.
 */
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { SearchInput } from '../parts/field.tsx';
import { t } from '../texts/text.ts';
import { useInteraction } from './interaction.ts';

/** Items drawn before "Show all". */
const maxItems = 150;
/** Items in a page without scripts. */
const maxStaticItems = 400;
/** Shorter lists have no search field. */
const searchable = 8;

interface SearchableListOptions<T> {
  readonly all: readonly T[];
  /** The text to search in. */
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
    /** Undefined for a short list. */
    search:
      all.length >= searchable && !isStatic ? (
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
  const there = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => there.includes(word));
}
