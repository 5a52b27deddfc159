/** Pages that load or show content only when it is scrolled into view. */
import type { Oracle } from '../oracle.ts';
import { imageColour } from '../site-images.ts';

/** The area of an image in CSS pixels, without the number drawn on it. */
const imageArea = 145_000;

export const scrolling: readonly Oracle[] = [
  {
    page: 'lazy-observer',
    texts: ['Holiday images'],
    colours: { [imageColour]: 12 * imageArea },
    compare: 'facts',
    needsScrolling: true,
  },
  {
    page: 'lazy-native',
    texts: ['Chapter five', 'The office is closed on Friday.'],
    colours: { [imageColour]: 4 * imageArea, '#33691e': 20_000 },
    compare: 'facts',
    needsScrolling: true,
  },
  {
    page: 'lazysizes',
    texts: ['A house'],
    colours: { [imageColour]: 6 * imageArea },
    compare: 'facts',
    needsScrolling: true,
  },
  {
    page: 'load-more',
    // Two sets of items: scrolling to the end of the list loads more items only once.
    texts: ['Headline 1', 'Headline 12'],
    compare: 'facts',
    needsScrolling: true,
  },
  {
    page: 'content-visibility',
    texts: ['Section 1', 'Section 20'],
    counts: [[/Note of section \d+/, 20]],
    colours: { '#fff59d': 20 * 120_000 },
    compare: 'facts',
    needsScrolling: true,
    archive: true,
  },
  {
    page: 'aos',
    texts: ['1998', '2016: ten thousand customers', '2026: still here'],
    colours: { '#00695c': 6 * 120_000 },
    compare: 'facts',
    needsScrolling: true,
    archive: true,
  },
  {
    page: 'gsap-scroll-trigger',
    texts: ['First reason', 'Third reason'],
    colours: { '#6a1b9a': 3 * 70_000 },
    compare: 'facts',
    needsScrolling: true,
  },
  { page: 'clusterize', texts: ['Log of today', 'Event 1'], absentTexts: ['Loading data'] },
];
