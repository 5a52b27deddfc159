/** Pages with activity that never ends: animations, timers, polling and open connections. */
import type { Oracle } from '../oracle.ts';

export const endless: readonly Oracle[] = [
  {
    page: 'spinner',
    texts: ['contract.pdf', 'photo.png', 'minutes.docx'],
    colours: { '#1b5e20': 70_000 },
    compare: 'facts',
  },
  {
    page: 'clock',
    texts: ['Departures', '14:05 Hamburg', '14:35 Prague'],
    counts: [[/It is \d\d:\d\d:\d\d/, 1]],
    colours: { '#0d47a1': 15_000 },
    compare: 'facts',
  },
  {
    page: 'polling',
    texts: ['212 of 212 passed'],
    absentTexts: ['Waiting'],
    colours: { '#388e3c': 30_000 },
    compare: 'facts',
  },
  { page: 'long-poll', texts: ['Anna: Lunch?', 'Ben: The new contract'], colours: { '#6d4c41': 40_000 } },
  {
    page: 'event-source',
    texts: ['Copper 9,410', 'Silver 31.20', 'Zinc 2,977'],
    absentTexts: ['Connecting'],
    colours: { '#512da8': 50_000 },
  },
  {
    page: 'web-socket',
    texts: ['Cellar: 11.5 °C', 'Attic: 23.0 °C'],
    absentTexts: ['Connecting'],
    colours: { '#00838f': 35_000 },
  },
];
