/** A field such as `3 / 61`: shows the current page, and goes to the page that the user enters. */
import { useEffect, useState } from 'preact/hooks';
import { number, t } from '../texts/text.ts';
import { startOf } from './layout.ts';
import type { DocumentView } from './document-view.ts';

export function PageField({ view, pages }: { readonly view: DocumentView; readonly pages: number }) {
  const page = view.page.value;
  const [text, setText] = useState(String(page + 1));
  useEffect(() => {
    setText(String(page + 1));
  }, [page]);
  const goToEntered = () => {
    const page = Math.round(Number(text));
    if (page >= 1) goTo(view, Math.min(page, pages) - 1);
    setText(String(view.page.peek() + 1));
  };
  return (
    <div class="page-field">
      <input
        class="input"
        inputMode="numeric"
        aria-label={t('viewer.page.number', { pages })}
        size={Math.max(2, String(pages).length)}
        value={text}
        onFocus={(event) => {
          event.currentTarget.select();
        }}
        onInput={(event) => {
          setText(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined) goTo(view, Math.max(0, Math.min(pages - 1, page + step)));
          if (event.key === 'Enter') goToEntered();
        }}
        onBlur={() => {
          // If the field is unchanged, leaving it does not scroll.
          if (text !== String(page + 1)) goToEntered();
        }}
      />
      <span aria-hidden="true">/ {number(pages)}</span>
    </div>
  );
}

/** Scrolls to a page; pages are counted from 0. */
export function goTo(view: DocumentView, page: number): void {
  view.position.value = startOf(page);
}
