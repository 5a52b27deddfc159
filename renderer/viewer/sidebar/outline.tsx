/** The outline of a PDF. Each entry is a button that scrolls to its destination. */
import type { OutlineEntry, Sheets } from '../pages/sheets.ts';
import type { DocumentView } from '../document-view.ts';

interface OutlineProps {
  readonly items: readonly OutlineEntry[];
  readonly sheets: Sheets;
  readonly view: DocumentView;
}

export function Outline({ items, sheets, view }: OutlineProps) {
  const goTo = async ({ target }: OutlineEntry) => {
    const position = target === undefined ? undefined : await sheets.pdf?.positionOf(target);
    if (position !== undefined) view.position.value = position;
  };
  return (
    <ul class="outline">
      {items.map((item, index) => (
        <li key={index}>
          <button
            type="button"
            title={item.title}
            disabled={item.target === undefined}
            onClick={() => void goTo(item)}
          >
            {item.title}
          </button>
          {item.items.length > 0 && <Outline items={item.items} sheets={sheets} view={view} />}
        </li>
      ))}
    </ul>
  );
}
