/** Tables of the page. Roles are explicit, because narrow windows lay rows out as blocks, which removes the implicit roles. */
import { number } from './figures.ts';
import { html, type Markup } from './markup.ts';

interface Column {
  readonly name: string | Markup;
  /** Class of the cells. */
  readonly look: string;
}

interface Table {
  /** Describes the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export interface Row {
  readonly look?: string;
  /** One cell for each column. */
  readonly cells: readonly (string | Markup)[];
}

export function table({ label, columns, rows }: Table): Markup {
  const head = columns.map(
    ({ name, look }) => html`<th scope="col" role="columnheader" class="${look}">${name}</th>`,
  );
  const looks = columns.map(({ look }) => look);
  return html`<table role="table" aria-label="${label}">
    <thead role="rowgroup">
      <tr role="row">
        ${head}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map((row) => tableRow(row, looks))}
    </tbody>
  </table>`;
}

function tableRow({ look = '', cells }: Row, looks: readonly string[]): Markup {
  const [first, ...others] = cells;
  const rest = others.map((cell, index) => html`<td role="cell" class="${looks[index + 1]}">${cell}</td>`);
  return html`<tr role="row" class="${look}">
    <th scope="row" role="rowheader" class="${looks[0]}">${first}</th>
    ${rest}
  </tr> `;
}

/** Returns the first items of a list, and a line with the number of the others. */
export function cutList<T>(
  items: readonly T[],
  most: number,
): { first: readonly T[]; more: Markup | undefined } {
  if (items.length <= most) return { first: items, more: undefined };
  const rest = number(items.length - most);
  return {
    first: items.slice(0, most),
    more: html`<p class="more">${rest} more are in the JSON of this log.</p>`,
  };
}
