/** The fonts section: requested and used fonts, failed web fonts, and missing glyphs. */
import { type FontsEvent, type LogEvent, lastOf } from '../events.ts';
import { isSubstituted, namedCharacter } from '../findings/fonts.ts';
import { number } from './figures.ts';
import { untrusted, html, type Markup, type Section } from './markup.ts';
import { cutList, table, type Row } from './table.ts';

type FontsDetail = FontsEvent['detail'];
type RecordedStack = FontsDetail['stacks'][number];

const maxRows = 100;

export function fonts(events: readonly LogEvent[]): Section | undefined {
  const detail = lastOf(events, 'fonts')?.detail;
  if (detail === undefined) return undefined;
  const { stacks, failed, missing } = detail;
  if (stacks.length + failed.length + missing.length === 0) return undefined;
  const { first, more } = cutList(stacks, maxRows);
  const content = html`${first.length === 0 ? undefined : stackTable(first)}${more}
  ${failed.length === 0 ? undefined : html`<p>Web fonts that could not be loaded: ${untrusted(failed.join(', '))}</p>`}
  ${missing.length === 0 ? undefined : missingTable(missing)}`;
  return { id: 'fonts', title: 'Fonts', count: stacks.length, content };
}

function stackTable(stacks: readonly RecordedStack[]): Markup {
  const columns = [
    { name: 'Requested', className: 'name' },
    { name: 'Drawn with', className: 'why' },
    { name: 'Characters', className: 'number' },
    { name: 'First element', className: 'place' },
  ];
  return table({ label: 'Requested and used fonts', columns, rows: stacks.map(stackRow) });
}

function stackRow(stack: RecordedStack): Row {
  const { families, weight, style, characters, element, used } = stack;
  const kind = [weight === '400' || weight === 'normal' ? '' : weight, style === 'normal' ? '' : style];
  const other = isSubstituted(stack)
    ? html`<small class="about why"><strong>Substituted</strong></small>`
    : undefined;
  return {
    className: isSubstituted(stack) ? 'problem' : '',
    cells: [
      html`${untrusted(families, 300)} <small>${untrusted(kind.join(' ').trim(), 50)}</small>`,
      html`${used.map(usedFont)}${other}`,
      number(characters),
      html`<code>${untrusted(element, 200)}</code>`,
    ],
  };
}

function usedFont({ family, glyphs, web }: RecordedStack['used'][number]): Markup {
  return html`<div>
    ${untrusted(family, 100)} <small>${number(glyphs)} glyphs${web ? ', web font' : ''}</small>
  </div>`;
}

function missingTable(missing: FontsDetail['missing']): Markup {
  const columns = [
    { name: 'Character without a glyph', className: 'name' },
    { name: 'Times', className: 'number' },
    { name: 'First element', className: 'place' },
  ];
  const { first, more } = cutList(missing, maxRows);
  const rows = first.map(({ character, count, element }) => ({
    cells: [
      untrusted(namedCharacter(character), 60),
      number(count),
      html`<code>${untrusted(element, 200)}</code>`,
    ],
  }));
  return html`${table({ label: 'Missing glyphs', columns, rows })}${more}`;
}
