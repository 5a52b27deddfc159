/** Sections of the page, the links to them, and names with their values. */
import { number } from './figures.ts';
import { html, type Markup } from './markup.ts';

export interface Section {
  /** Of its anchor. */
  readonly id: string;
  readonly title: string;
  /** Of what it lists. */
  readonly count?: number;
  readonly content: Markup;
}

export function section({ id, title, count, content }: Section): Markup {
  const many = count === undefined ? undefined : html` <small>${number(count)}</small>`;
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}${many}</h2>
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

/** A value that is undefined or empty is not shown. */
export type Fact = readonly [name: string, value: string | Markup | undefined];

/** Names and values beside one another. */
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
