/** Pages with formulas, code, labels, books, API documents, maps and 3D scenes. */
import type { Oracle } from '../oracle.ts';
import { tileColours } from '../site-images.ts';

export const documents: readonly Oracle[] = [
  { page: 'mathjax-3', texts: ['there are two solutions to'], absentTexts: ['\\ne', '\\pm', '\\sum', '$$'] },
  { page: 'mathjax-4', texts: ['the following holds'], absentTexts: ['\\geq', '\\int', 'pmatrix'] },
  { page: 'katex', texts: ['is called Euler', 'Fourier'], absentTexts: ['\\hat', '\\int', '$$'] },
  {
    page: 'leaflet',
    texts: ['Where we are', 'Hello world!', 'Tiles of our own'],
    colours: { [tileColours[0]]: 100_000, [tileColours[1]]: 100_000 },
  },
  {
    page: 'leaflet-fly',
    // Tiles overlap by a pixel in an order that depends on the frames of the flight: a line for each of three tile edges may differ.
    differingPixels: 2000,
    texts: ['Munich', 'Vienna', 'Zurich'],
    colours: { '#b71c1c': 500, [tileColours[0]]: 100_000, [tileColours[1]]: 100_000 },
  },
  { page: 'three-static', colours: { '#00ff00': 20_000, '#102030': 200_000 } },
  {
    page: 'three-loop',
    texts: ['A cube that turns for ever'],
    colours: { '#00ff00': 10_000 },
    compare: 'facts',
  },
  { page: 'pagedjs', texts: ['Chapter 4', 'The end of the book.', 'A small book', 'Page 1 of'], pages: 4 },
  // Only facts, because the bounce animation of the arrows never ends.
  {
    page: 'reveal',
    texts: ['QUARTERLY REVIEW', 'What we learned'],
    colours: { '#191919': 500_000 },
    compare: 'facts',
  },
  { page: 'swiper', texts: ['Our rooms', 'Sea view'], colours: { '#ffcc80': 200_000 }, archive: true },
  { page: 'swagger-ui', texts: ['Pet shop', 'List all pets', 'Returns the inventory'] },
  { page: 'redoc', texts: ['Pet shop', 'List all pets', 'Info for a specific pet', 'Returns the inventory'] },
  {
    page: 'highlight-js',
    texts: ['Reading a file', 'Return the text of a file.'],
    colours: { '#272822': 150_000 },
    archive: true,
  },
  { page: 'jsbarcode', texts: ['Parcel label'], colours: { '#0d47a1': 5000 }, archive: true },
];
