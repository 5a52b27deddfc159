/** A type for safe HTML. Templates escape every value that is not Markup. */
import { escapeHtml } from '../escape-html.ts';
import { number } from './figures.ts';

/** A symbol, so that data parsed from JSON can never be Markup. */
const source: unique symbol = Symbol('markup');

export interface Markup {
  readonly [source]: string;
}

type Part = string | number | Markup | readonly Markup[] | undefined;

/** A template tag that escapes all values except Markup. Undefined values are omitted. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let built = literals[0] ?? '';
  parts.forEach((part, index) => {
    built += sourceOfPart(part) + (literals[index + 1] ?? '');
  });
  return { [source]: built };
}

/** Marks a text as safe. Only for constants such as the style sheet, never for text from callers or pages. */
export function trusted(text: string): Markup {
  return { [source]: text };
}

export function sourceOf(markup: Markup): string {
  return markup[source];
}

/** Renders text from a caller or a page: isolated from the direction of the surrounding text, and cut to `maxLength`. */
export function untrusted(text: string, maxLength = 2000): Markup {
  if (text.length <= maxLength) return html`<bdi>${text}</bdi>`;
  const omitted = text.length - maxLength;
  return html`<bdi>${text.slice(0, maxLength)}</bdi><small>… (${omitted} more characters)</small>`;
}

function sourceOfPart(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return isList(part) ? part.map(sourceOf).join('') : part[source];
}

function isList(part: Markup | readonly Markup[]): part is readonly Markup[] {
  return Array.isArray(part);
}

// Sections, navigation and lists of facts.

export interface Section {
  /** The id of the anchor. */
  readonly id: string;
  readonly title: string;
  /** Number of listed items. */
  readonly count?: number;
  readonly content: Markup;
}

export function section({ id, title, count, content }: Section): Markup {
  const countLabel = count === undefined ? undefined : html` <small>${number(count)}</small>`;
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}${countLabel}</h2>
    ${content}
  </section> `;
}

export function navigation(sections: readonly Section[]): Markup {
  const links = sections.map(
    ({ id, title, count }) =>
      html`<a href="#${id}"
        >${title}${count === undefined ? undefined : html` <small>${number(count)}</small>`}</a
      >`,
  );
  return html`<nav aria-label="Sections">${links}</nav>`;
}

/** A fact with an undefined or empty value is omitted. */
export type Fact = readonly [name: string, value: string | Markup | undefined];

/** Renders names with their values. */
export function factList(facts: readonly Fact[]): Markup {
  const shown = facts.filter(([, value]) => value !== undefined && value !== '');
  return html`<dl class="facts">
    ${shown.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
