/** A single-page application: an almost empty page whose script fetches its data and then draws the content. */
import { randomOf } from '../../soak/random.ts';
import { pdfOf, type BenchDocument } from './document.ts';
import { page } from './prose.ts';

const regions = ['north', 'south', 'east', 'west'] as const;

export function application(): BenchDocument {
  const random = randomOf(8);
  const rows = () =>
    Array.from({ length: 18 }, (_, index) => ({
      article: `Article ${index + 1}`,
      pieces: Math.ceil(random() * 90),
      sum: Math.ceil(random() * 9000),
    }));
  const files = {
    'data/session.json': json({ user: 'Ms Jane Doe', regions }),
    ...Object.fromEntries(regions.map((region) => [`data/${region}.json`, json({ region, rows: rows() })])),
  };
  const style = 'table { width: 100%; border-collapse: collapse } td { border-bottom: 1px solid #ccc } ';
  const html = page('Sales', style, `<div id="app">Loading</div><script>${drawRegions}</script>`);
  return {
    name: 'application',
    title: 'application, 5 requests',
    html,
    files,
    by: 'url',
    scripts: true,
    marksReady: true,
    // Without the data, it has one page.
    expected: pdfOf(2, 3),
    long: false,
  };
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** The script of the document: the first response names the other four requests. */
const drawRegions = `
  const load = async (name) => (await fetch('data/' + name + '.json')).json();
  (async () => {
    const { user, regions } = await load('session');
    const all = await Promise.all(regions.map(load));
    const row = ({ article, pieces, sum }) => '<tr><td>' + [article, pieces, sum].join('<td>');
    const section = ({ region, rows }) => '<h2>' + region + '</h2><table>' + rows.map(row).join('') + '</table>';
    document.getElementById('app').innerHTML = '<h1>Sales of ' + user + '</h1>' + all.map(section).join('');
    document.documentElement.setAttribute('data-ready', '');
  })();`;
