/** Pages with animated content: movements, counters, text that appears letter by letter. */
import type { Oracle } from '../oracle.ts';

export const movement: readonly Oracle[] = [
  { page: 'gsap', texts: ['Boxes come in', 'Finished'], colours: { '#0ae448': 28_000 }, archive: true },
  { page: 'lottie', texts: ['Done!'], colours: { '#008040': 75_000 } },
  {
    page: 'fade-in-body',
    texts: ['Welcome', 'Opening hours: 9 to 5.'],
    colours: { '#283593': 150_000 },
    archive: true,
  },
  {
    page: 'view-transition',
    texts: ['Step 2 of 2'],
    absentTexts: ['Step 1'],
    colours: { '#2e7d32': 150_000 },
  },
  { page: 'countup', texts: ['48,375', '27', '99.98'], archive: true },
  { page: 'count-interval', texts: ['Trees planted', '1500'], colours: { '#ad1457': 1500 }, archive: true },
  { page: 'typed', texts: ['Documents that look the way you meant them.', 'We do what we say.'] },
  {
    page: 'typewriter',
    texts: ['Dear customer, your delivery arrives on Thursday between nine and eleven.'],
  },
  { page: 'canvas-2d', texts: ['Fill level'], colours: { '#00897b': 17_000 } },
  { page: 'motion', texts: ['Why us', 'Fast', 'Near you'], colours: { '#c2185b': 50_000 } },
  { page: 'anime', texts: ['Squares', '870 points'], colours: { '#f4511e': 17_000 }, archive: true },
  {
    page: 'jquery-fade',
    texts: ['Saturday, 10 to 14', 'Hello Harriet Vane'],
    colours: { '#01579b': 100_000, '#43a047': 17_000 },
  },
  {
    page: 'timer-chain',
    texts: ['Memory checked', 'Disk checked', 'All checks passed'],
    colours: { '#2e7d32': 30_000 },
  },
  { page: 'timer-late', texts: ['Twenty per cent off until Sunday'], colours: { '#bf360c': 80_000 } },
];
