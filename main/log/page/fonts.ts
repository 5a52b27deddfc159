/** The fonts section: requested and used fonts, failed web fonts, and missing glyphs. */
import type { FontsEvent, LogEvent } from '../events.ts';
import { isSubstituted, namedCharacter } from '../findings/fonts.ts';
import { lastOf } from '../select-events.ts';
import { number } from './figures.ts';
import { foreign, html, type Markup, type Section } from './markup.ts';
import { cutList, table, type Row } from './table.ts';

type Fonts = FontsEvent['detail'];
type Stack = Fonts['stacks'][number];

const most = 100;

export function fonts(events: readonly LogEvent[]): Section | undefined {
  const detail = lastOf(events, 'fonts')?.detail;
  if (detail === undefined) return undefined;
  const { stacks, failed, missing } = detail;
  if (stacks.length + failed.length + missing.length === 0) return undefined;
  const { first, more } = cutList(stacks, most);
  const content = html`${first.length === 0 ? undefined : stackTable(first)}${more}
  ${failed.length === 0 ? undefined : html`<p>Web fonts that could not be loaded: ${foreign(failed.join(', '))}</p>`}
  ${missing.length === 0 ? undefined : missingTable(missing)}`;
  return { id: 'fonts', title: 'Fonts', count: stacks.length, content };
}

function stackTable(stacks: readonly Stack[]): Markup {
  const columns = [
    { name: 'Asked for', look: 'name' },
    { name: 'Drawn with', look: 'why' },
    { name: 'Characters', look: 'number' },
    { name: 'First element', look: 'place' },
  ];
  return table({ label: 'Fonts asked for and used', columns, rows: stacks.map(stackRow) });
}

function stackRow(stack: Stack): Row {
  const { families, weight, style, characters, element, used } = stack;
  const kind = [weight === '400' || weight === 'normal' ? '' : weight, style === 'normal' ? '' : style];
  const other = isSubstituted(stack)
    ? html`<small class="about why"><strong>Substituted</strong></small>`
    : undefined;
  return {
    look: isSubstituted(stack) ? 'problem' : '',
    cells: [
      html`${foreign(families, 300)} <small>${foreign(kind.join(' ').trim(), 50)}</small>`,
      html`${used.map(drawn)}${other}`,
      number(characters),
      html`<code>${foreign(element, 200)}</code>`,
    ],
  };
}

function drawn({ family, glyphs, web }: Stack['used'][number]): Markup {
  return html`<div>
    ${foreign(family, 100)} <small>${number(glyphs)} glyphs${web ? ', web font' : ''}</small>
  </div>`;
}

function missingTable(missing: Fonts['missing']): Markup {
  const columns = [
    { name: 'Character without a glyph', look: 'name' },
    { name: 'Times', look: 'number' },
    { name: 'First element', look: 'place' },
  ];
  const { first, more } = cutList(missing, most);
  const rows = first.map(({ character, count, element }) => ({
    cells: [
      foreign(namedCharacter(character), 60),
      number(count),
      html`<code>${foreign(element, 200)}</code>`,
    ],
  }));
  return html`${table({ label: 'Missing glyphs', columns, rows })}${more}`;
}
