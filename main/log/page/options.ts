/** The options in force: those that were given, and the defaults folded away. */
import type { LogEvent, OptionsEvent } from '../events.ts';
import { lastOf } from '../select-events.ts';
import { foreign, html, type Markup } from './markup.ts';
import type { Section } from './section.ts';
import { table } from './table.ts';

type Options = OptionsEvent['detail']['options'];

/** Besides the defaults themselves. */
const origins: Readonly<Record<Options[number]['from'], string>> = {
  request: 'request',
  default: 'default',
  alias: 'default of --alias',
};

export function options(events: readonly LogEvent[]): Section | undefined {
  const detail = lastOf(events, 'options')?.detail;
  if (detail === undefined) return undefined;
  const given = detail.options.filter(({ from }) => from === 'request');
  const defaults = detail.options.filter(({ from }) => from !== 'request');
  const content = html`<p>
      The input came as <code>${detail.input}</code>.${given.length === 0 ? ' No option was given.' : ''}
    </p>
    ${given.length === 0 ? undefined : optionTable('Options given', given)}
    ${
      defaults.length === 0
        ? undefined
        : html`<details>
            <summary>${defaults.length} defaults</summary>
            ${optionTable('Defaults', defaults)}
          </details>`
    }`;
  return { id: 'options', title: 'Options', count: given.length, content };
}

function optionTable(label: string, shown: Options): Markup {
  const columns = [
    { name: 'Option', look: 'option' },
    { name: 'Value', look: 'name' },
    { name: 'From', look: 'place' },
  ];
  const rows = shown.map(({ name, value, from }) => ({
    look: 'flat',
    cells: [html`<code>${name}</code>`, html`<div class="said">${foreign(value)}</div>`, origins[from]],
  }));
  return table({ label, columns, rows });
}
