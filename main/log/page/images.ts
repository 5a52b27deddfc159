/** Images with a problem: their own size beside the one they are shown at. */
import type { ImagesEvent, LogEvent } from '../events.ts';
import { eventsOf } from '../select-events.ts';
import { pixels } from './figures.ts';
import { foreign, html } from './markup.ts';
import type { Section } from './section.ts';
import { cutList, table, type Row } from './table.ts';

type Image = ImagesEvent['detail']['images'][number];

const most = 100;
const words: Readonly<Record<Image['problem'], string>> = {
  broken: 'cannot be shown',
  oversized: 'far larger than it is shown',
};

export function images(events: readonly LogEvent[]): Section | undefined {
  const all = eventsOf(events, 'images').flatMap(({ detail }) => detail.images);
  if (all.length === 0) return undefined;
  const { first, more } = cutList(all, most);
  const columns = [
    { name: 'Image', look: 'name' },
    { name: 'Problem', look: 'why' },
    { name: 'Its own size', look: 'number' },
    { name: 'Shown at', look: 'number' },
  ];
  const content = html`${table({ label: 'Images with a problem', columns, rows: first.map(row) })}${more}`;
  return { id: 'images', title: 'Images', count: all.length, content };
}

function row({ url, element, problem, natural, shown }: Image): Row {
  const own = problem === 'broken' ? '' : pixels(natural);
  return {
    cells: [
      html`${foreign(url, 300)}<small class="about"><code>${foreign(element, 200)}</code></small>`,
      words[problem],
      own,
      pixels(shown),
    ],
  };
}
