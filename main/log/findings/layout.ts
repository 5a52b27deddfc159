/** What the layout explains: content too wide or too tall, what page breaks cut, headers that do not fit. */
import type { BreaksEvent, LayoutEvent, LogEvent } from '../events.ts';
import { eventsOf, lastOf } from '../select-events.ts';
import { finding, type Finding } from './finding.ts';
import { counted, figure, listed, short } from './phrases.ts';

type Breaks = BreaksEvent['detail'];

export function layoutFindings(events: readonly LogEvent[]): Finding[] {
  const breaks = eventsOf(events, 'breaks').map(({ detail }) => detail);
  const layout = lastOf(events, 'layout')?.detail;
  return [
    ...overflowing(
      breaks.flatMap(({ overflows }) => overflows),
      layout,
    ),
    ...tall(breaks.flatMap((one) => one.tall)),
    ...split(breaks.flatMap(({ splits }) => splits)),
    ...eventsOf(events, 'strip')
      .filter(({ detail: { content, place, width } }) => content > place || width !== undefined)
      .map(({ text, detail: { strip, content, place } }) => {
        const heights = content > place ? [`${strip}_height`] : [];
        return finding('strip-clipped', text, { options: [...heights, 'header_footer_scale_factor'] });
      }),
  ];
}

function overflowing(overflows: Breaks['overflows'], layout: LayoutEvent['detail'] | undefined): Finding[] {
  if (overflows.length === 0) return [];
  const said = listed(overflows, ({ element, by }) => `${short(element)} by ${figure(by)} px`);
  const sticks = overflows.length === 1 ? 'sticks' : 'stick';
  const wide = layout === undefined ? 'the layout' : `a layout ${figure(layout.viewport.width)} px wide`;
  const sentence = `${counted(overflows.length, 'element')} ${sticks} out to the right of ${wide}: ${said}. What sticks out is cut, or makes everything smaller.`;
  const options =
    layout?.picture === undefined
      ? ['content_viewport_width', 'content_fit_mode', 'scale_factor']
      : ['content_viewport_width', 'screenshot_width'];
  return [finding('content-overflows', sentence, { options })];
}

function tall(elements: Breaks['tall']): Finding[] {
  if (elements.length === 0) return [];
  const said = listed(
    elements,
    ({ element, height, page }) => `${short(element)} (${figure(height)} px, begins on page ${page})`,
  );
  const are = elements.length === 1 ? 'is' : 'are';
  const sentence = `${counted(elements.length, 'element')} ${are} taller than a page and must be cut: ${said}.`;
  return [
    finding('content-taller-than-page', sentence, {
      options: ['page_height', 'scale_factor', 'content_fit_mode'],
    }),
  ];
}

function split(elements: Breaks['splits']): Finding[] {
  if (elements.length === 0) return [];
  const said = listed(
    elements,
    ({ element, first, last }) => `${short(element)} (pages ${first} to ${last})`,
  );
  const sentence = `${counted(elements.length, 'element')} ${elements.length === 1 ? 'goes' : 'go'} over the end of a page: ${said}. The style break-inside: avoid keeps one together.`;
  return [finding('content-split', sentence, { options: ['custom_css'] })];
}
