/** HTML as a type of its own: what is not Markup is text, and is escaped wherever it is put in. */
import { escapeHtml } from '../escape-html.ts';

/** A symbol, so that nothing read from a file can pass for markup. */
const source: unique symbol = Symbol('markup');

export interface Markup {
  readonly [source]: string;
}

type Part = string | number | Markup | readonly Markup[] | undefined;

/** A template whose values are escaped; those that are Markup already stand as they are, undefined is nothing. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let built = literals[0] ?? '';
  parts.forEach((part, index) => {
    built += written(part) + (literals[index + 1] ?? '');
  });
  return { [source]: built };
}

/** Ours alone, such as a style sheet: never with anything a caller or a page wrote. */
export function trusted(text: string): Markup {
  return { [source]: text };
}

export function sourceOf(markup: Markup): string {
  return markup[source];
}

/** What a caller or a page wrote: kept apart from the direction of the text around it, and cut when it is long. */
export function foreign(text: string, most = 2000): Markup {
  if (text.length <= most) return html`<bdi>${text}</bdi>`;
  return html`<bdi>${text.slice(0, most)}</bdi><small>… (${text.length - most} more characters)</small>`;
}

function written(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return isList(part) ? part.map(sourceOf).join('') : part[source];
}

function isList(part: Markup | readonly Markup[]): part is readonly Markup[] {
  return Array.isArray(part);
}
