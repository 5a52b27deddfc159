/** Tables of the page. Roles are explicit, because narrow windows lay rows out as blocks, which removes the implicit roles. */
import { number } from './figures.ts';
import { html, type Markup } from './markup.ts';

interface Column {
  readonly name: string | Markup;
  /** Class of the cells. */
  readonly className: string;
}

interface Table {
  /** Describes the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export interface Row {
  readonly className?: string;
  /** One cell for each column. */
  readonly cells: readonly (string | Markup)[];
}

export function table({ label, columns, rows }: Table): Markup {
  const head = columns.map(
    ({ name, className }) => html`<th scope="col" role="columnheader" class="${className}">${name}</th>`,
  );
  const classNames = columns.map(({ className }) => className);
  return html`<table role="table" aria-label="${label}">
    <thead role="rowgroup">
      <tr role="row">
        ${head}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map((row) => tableRow(row, classNames))}
    </tbody>
  </table>`;
}

function tableRow({ className = '', cells }: Row, classNames: readonly string[]): Markup {
  const [first, ...others] = cells;
  const rest = others.map(
    (cell, index) => html`<td role="cell" class="${classNames[index + 1]}">${cell}</td>`,
  );
  return html`<tr role="row" class="${className}">
    <th scope="row" role="rowheader" class="${classNames[0]}">${first}</th>
    ${rest}
  </tr> `;
}

/** Returns the first items of a list, and a line with the number of the others. */
export function cutList<T>(
  items: readonly T[],
  maxItems: number,
): { first: readonly T[]; more: Markup | undefined } {
  if (items.length <= maxItems) return { first: items, more: undefined };
  const rest = number(items.length - maxItems);
  return {
    first: items.slice(0, maxItems),
    more: html`<p class="more">${rest} more entries are in the JSON of this log.</p>`,
  };
}
