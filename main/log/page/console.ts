/** What the page said in its console, with positions and stacks. */
import type { ConsoleEvent, LogEvent } from '../events.ts';
import { eventsOf, type EventOf } from '../select-events.ts';
import { milliseconds, number } from './figures.ts';
import { foreign, html, type Markup } from './markup.ts';
import type { Section } from './section.ts';
import { cutList, table, type Row } from './table.ts';

type Detail = ConsoleEvent['detail'];

const most = 400;
const longest = 300;

export function consoleLines(events: readonly LogEvent[]): Section | undefined {
  const lines = eventsOf(events, 'console');
  if (lines.length === 0) return undefined;
  const { first, more } = cutList(lines, most);
  const columns = [
    { name: 'At ms', look: 'number' },
    { name: 'Level', look: 'level' },
    { name: 'Message', look: 'name' },
    { name: 'Where', look: 'place' },
  ];
  const content = html`${table({ label: 'Console', columns, rows: first.map(row) })}${more}`;
  return { id: 'console', title: 'Console', count: lines.length, content };
}

function row({ at, text, detail }: EventOf<'console'>): Row {
  const message = html`${said(text)} ${stack(detail)}`;
  return {
    look: `flat ${detail.level}`,
    cells: [milliseconds(at), detail.level, message, foreign(place(detail), 300)],
  };
}

/** What is long is folded away, so that the next line stays in sight. */
function said(text: string): Markup {
  if (text.length <= longest) return html`<div class="said">${foreign(text)}</div>`;
  // Not between the halves of a character.
  const end = /[\ud800-\udbff]/.test(text.charAt(longest - 1)) ? longest - 1 : longest;
  const [first, rest] = [foreign(`${text.slice(0, end)}…`), foreign(`…${text.slice(end)}`)];
  return html`<details>
    <summary>
      <span class="said">${first}</span> <small>${number(text.length - end)} more characters</small>
    </summary>
    <div class="said">${rest}</div>
  </details>`;
}

function stack({ stack = [] }: Detail): Markup | undefined {
  if (stack.length === 0) return undefined;
  return html`<details>
    <summary>Stack</summary>
    <pre>${foreign(stack.join('\n'))}</pre>
  </details>`;
}

function place({ source, line, column }: Detail): string {
  if (line === 0) return source;
  return `${source}:${[line, ...(column === undefined ? [] : [column])].join(':')}`;
}
