/** A long list that is narrowed by words, and not all drawn at once: its field, what of it is shown, and the button for the rest. */
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { SearchInput } from '../parts/field.tsx';
import { t } from '../texts/text.ts';
import { saysAll } from './says-all.ts';

/** Items that are drawn before somebody asks for all of them. */
const most = 150;
/** Fewer are seen at a glance. */
const searchable = 8;

interface Narrowing<T> {
  readonly all: readonly T[];
  /** What is looked for words in. */
  readonly wordsOf: (item: T) => string;
  /** Of the field. */
  readonly label: string;
}

export function useNarrowed<T>({ all, wordsOf, label }: Narrowing<T>) {
  const [wanted, setWanted] = useState('');
  const [shownAll, setShownAll] = useState(false);
  const found = all.filter((item) => saysAll(wordsOf(item), wanted));
  const shown = shownAll ? found : found.slice(0, most);
  return {
    ...{ found, shown },
    /** Undefined where there is little to look through. */
    search:
      all.length >= searchable ? <SearchInput label={label} value={wanted} onText={setWanted} /> : undefined,
    nothing: found.length === 0 && <p class="soft">{t('explain.nothingFound', { wanted })}</p>,
    more: found.length > shown.length && (
      <Button
        onClick={() => {
          setShownAll(true);
        }}
      >
        {t('explain.showAll', { count: found.length })}
      </Button>
    ),
  };
}
