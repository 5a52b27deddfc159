/** Tables and applications that fetch their content and render it. */
import type { Oracle } from '../oracle.ts';

export const applications: readonly Oracle[] = [
  { page: 'ag-grid', texts: ['Make', 'Model Y', '£64,950', 'Kia', '£45,245'] },
  {
    page: 'tabulator',
    texts: ['Oli Bob', 'Jamie Newhart', 'Malmo'],
    counts: [[/Leeds|Ghent|Lyon|Graz|Turin|Porto|Malmo/, 7]],
  },
  {
    page: 'datatables',
    texts: ['Airi Satou', 'Cedric Kelly', 'Showing 1 to 10 of 16 entries'],
    absentTexts: ['Loading...'],
  },
  {
    page: 'react-spa',
    texts: ['Orders of Harriet Vane', 'A-1001', 'Wool carpet'],
    absentTexts: ['Loading'],
  },
  {
    page: 'react-lazy',
    texts: ['Ada Lovelace', '25 likes', 'She wrote the first program in 1843.'],
    absentTexts: ['Loading'],
    colours: { '#d1c4e9': 30_000 },
  },
  {
    page: 'vue-spa',
    texts: ['Kettle: 29.90 €', 'Mixer: 112.00 €', '5 products'],
    absentTexts: ['Loading'],
    colours: { '#1565c0': 50_000 },
  },
  {
    page: 'plain-spa',
    texts: ['Invoice 2026-0042', 'Travel: 315.20 €', 'Total 1,515.20 €'],
    absentTexts: ['Loading'],
    colours: { '#c8e6c9': 30_000 },
    archive: true,
  },
  {
    page: 'lit',
    texts: ['Write the offer', 'Call the printer', 'Book the hall'],
    absentTexts: ['Loading'],
    colours: { '#a5d6a7': 15_000 },
  },
  {
    page: 'bootstrap',
    texts: ['85%', 'All milestones but one are reached.', 'Saved a minute ago.'],
    colours: { '#198754': 18_000 },
  },
  {
    page: 'bootstrap-modal',
    texts: ['Please read', 'The terms have changed on 1 March.', 'I agree', 'Harriet Vane'],
  },
  {
    page: 'alpine',
    texts: ['Oli Bob', 'Jamie Newhart', 'We are 7 people.'],
    absentTexts: ['Loading'],
    colours: { '#5d4037': 30_000 },
  },
  {
    page: 'htmx',
    texts: ['Angie MacDowell', 'The office is closed on Friday.'],
    absentTexts: ['Loading'],
    colours: { '#33691e': 60_000 },
  },
  {
    page: 'late-component',
    texts: ['4 of 5 by Harriet Vane'],
    absentTexts: ['pending'],
    colours: { '#f9a825': 25_000 },
  },
  { page: 'worker', texts: ['148,933 primes'], absentTexts: ['Computing'], colours: { '#ef6c00': 5000 } },
];
