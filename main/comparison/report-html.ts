/**
 * Writes the pages of the report as HTML without scripts and external resources, so that a browser shows them from the file system. Paths
 * in the report consist of characters that need no escaping (file-names.ts).
 */
import { escapeHtml } from '../log/escape-html.ts';
import type { ComparedPage, DocumentDifference, PagesDifference } from './compare-documents.ts';
import type { UsedFont } from './comparable-document.ts';
import type { ComparedInstallations, ReportedPage, ReportedSample } from './sample-result.ts';
import type { TextChange } from './text-changes.ts';

/** The longest lists and texts in the HTML. report.json is complete. */
const maxChanges = 200;
const maxTextLength = 300;

const style = `
:root { color-scheme: light dark; --line: light-dark(#d0d4da, #444a52); --muted: light-dark(#59616b, #a3abb5); }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; }
h1 { font-size: 1.5rem; line-height: 1.3; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); overflow-wrap: break-word; padding: .4rem .8rem .4rem 0; text-align: start; vertical-align: top; }
[scope=row], td:last-child { overflow-wrap: anywhere; }
td p { margin: 0; }
.images { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); }
figure { margin: 0; }
figcaption, small { color: var(--muted); }
img { background: #fff; border: 1px solid var(--line); box-sizing: border-box; height: auto; max-width: 100%; }
nav { display: flex; flex-wrap: wrap; gap: 1.5rem; }
.differs, .failed { color: light-dark(#b3001e, #ff8a93); font-weight: 600; }
.unknown, .unfinished { color: light-dark(#7a4d00, #f0b64d); font-weight: 600; }`;

const verdictTexts: Readonly<Record<ReportedSample['verdict'], string>> = {
  identical: 'Identical',
  'same appearance': 'Same appearance',
  differs: 'Differs',
  unknown: 'Unknown',
  failed: 'Failed',
  unfinished: 'Unfinished',
};

/** Returns index.html. */
export function indexHtml(installations: ComparedInstallations, samples: readonly ReportedSample[]): string {
  const counts = Object.entries(verdictTexts)
    .map(([verdict, text]) => ({
      text,
      count: samples.filter((sample) => sample.verdict === verdict).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ text, count }) => `<li>${text}: ${count}</li>`);
  return documentHtml(
    'Comparison of two installations',
    `<h1>Comparison of two installations</h1>
<dl><dt>Before</dt><dd>${escapeHtml(installations.before)}</dd><dt>After</dt><dd>${escapeHtml(installations.after)}</dd></dl>
<ul>${counts.join('')}</ul>
<table>
<thead><tr>${['Sample', 'Result', 'Pages', 'Pages with differences', 'Fonts', 'Details'].map((title) => `<th scope="col">${title}</th>`).join('')}</tr></thead>
<tbody>
${samples.map(sampleRow).join('\n')}
</tbody>
</table>
<p><a href="report.json">All results as JSON</a></p>`,
  );
}

function sampleRow(sample: ReportedSample): string {
  const { name, verdict, pages } = sample;
  const difference = comparedPagesOf(sample);
  const links = pages.map(({ page, html }) => `<a href="${html}">${page}</a>`);
  const cells = [
    `<td class="${verdict.replace(' ', '-')}">${verdictTexts[verdict]}</td>`,
    `<td>${difference === undefined ? '' : pageCountsText(difference)}</td>`,
    `<td>${difference === undefined ? '' : pages.length}${links.length > 0 ? `: ${links.join(' ')}` : ''}</td>`,
    `<td>${difference === undefined ? '' : fontsHtml(difference)}</td>`,
    `<td>${detailsHtml(sample)}</td>`,
  ];
  return `<tr><th scope="row">${escapeHtml(name)}</th>${cells.join('')}</tr>`;
}

function comparedPagesOf({ result }: ReportedSample): PagesDifference | undefined {
  if (result?.failures !== undefined) return undefined;
  return result?.difference.kind === 'pages compared' ? result.difference : undefined;
}

function pageCountsText({ pageCounts: { before, after } }: PagesDifference): string {
  return before === after ? String(before) : `${before} before, ${after} after`;
}

function fontsHtml({ fonts }: PagesDifference): string {
  return [
    { title: 'Only before', list: fonts.before },
    { title: 'Only after', list: fonts.after },
  ]
    .filter(({ list }) => list.length > 0)
    .map(({ title, list }) => `<p>${title}: ${list.map(fontText).map(escapeHtml).join(', ')}</p>`)
    .join('');
}

function fontText({ name, isEmbedded }: UsedFont): string {
  return isEmbedded ? name : `${name} (not embedded)`;
}

function detailsHtml({ result }: ReportedSample): string {
  if (result === undefined) return '<p>The comparison ended before this sample had a result.</p>';
  if (result.failures === undefined) return differenceHtml(result.difference);
  return sidesHtml(result.failures, 'The conversion succeeded.');
}

function differenceHtml(difference: DocumentDifference): string {
  switch (difference.kind) {
    case 'different bytes':
      return `<p>${escapeHtml(difference.reason)}</p>`;
    case 'unreadable':
      return sidesHtml(difference, 'The document can be opened.');
    case 'identical bytes':
    case 'pages compared':
      return '';
  }
}

interface SideMessages {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function sidesHtml({ before, after }: SideMessages, success: string): string {
  return `<p>Before: ${escapeHtml(before ?? success)}</p><p>After: ${escapeHtml(after ?? success)}</p>`;
}

export interface PageHtmlInput {
  readonly sample: ReportedSample;
  readonly page: ReportedPage;
  readonly installations: ComparedInstallations;
  /** The paths of the nearest pages with differences, also of other samples. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** Returns the HTML of a page with differences. */
export function pageHtml({ sample, page, installations, previous, next }: PageHtmlInput): string {
  const title = `${sample.name}, page ${page.page}`;
  const difference = comparedPagesOf(sample);
  const compared = difference?.pages[page.page - 1];
  const changes = (difference?.textChanges ?? []).filter(
    ({ before, after }) => before?.page === page.page || after?.page === page.page,
  );
  const links = [
    '<a href="../../index.html">All samples</a>',
    previous === undefined ? '' : `<a rel="prev" href="../../${previous}">Previous difference</a>`,
    next === undefined ? '' : `<a rel="next" href="../../${next}">Next difference</a>`,
  ];
  return documentHtml(
    title,
    `<nav aria-label="Differences">${links.join('\n')}</nav>
<h1>${escapeHtml(title)}</h1>
<p>${compared === undefined ? '' : escapeHtml(comparedPageText(compared))}</p>
<div class="images">
${figuresHtml(page, installations)}
</div>
${(['removed', 'added', 'moved'] as const).map((kind) => changesHtml(kind, changes)).join('\n')}`,
  );
}

function comparedPageText(compared: ComparedPage): string {
  switch (compared.kind) {
    case 'identical':
      return 'The page looks the same, but its text differs.';
    case 'differs':
      return `${percentText(compared.share)} of the pixels differ.${compared.resized ? ' The size of the page differs.' : ''}`;
    case 'only':
      return `Only the document ${compared.side} has this page.`;
    case 'unknown':
      return `The page was not compared. ${compared.reason}`;
  }
}

/** A page with few differing pixels must not look identical. */
function percentText(share: number): string {
  return share < 0.0001 ? 'Less than 0.01%' : `${(share * 100).toFixed(2)}%`;
}

function figuresHtml({ page, images }: ReportedPage, installations: ComparedInstallations): string {
  const figures = [
    { path: images.before, alt: `Page ${page} before`, caption: `Before: ${installations.before}` },
    { path: images.after, alt: `Page ${page} after`, caption: `After: ${installations.after}` },
    {
      path: images.overlay,
      alt: `Page ${page} after, faded, with differing pixels in red`,
      caption: 'Differing pixels in red',
    },
  ];
  return figures
    .flatMap(({ path, alt, caption }) => {
      if (path === undefined) return [];
      const image = `<img src="../../${path}" alt="${alt}" loading="lazy">`;
      return [
        `<figure><a href="../../${path}">${image}</a><figcaption>${escapeHtml(caption)}</figcaption></figure>`,
      ];
    })
    .join('\n');
}

function changesHtml(kind: TextChange['kind'], all: readonly TextChange[]): string {
  const changes = all.filter((change) => change.kind === kind);
  if (changes.length === 0) return '';
  const items = changes.slice(0, maxChanges).map((change) => {
    const place = placeText(change);
    return `<li><q>${escapeHtml(shortened(change.text))}</q> <small>${escapeHtml(place)}</small></li>`;
  });
  const more = changes.length - items.length;
  const title = { removed: 'Removed words', added: 'Added words', moved: 'Moved words' }[kind];
  return `<h2>${title}</h2>
<ul>
${items.join('\n')}
</ul>${more > 0 ? `\n<p>${more} more in report.json.</p>` : ''}`;
}

function shortened(text: string): string {
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength).trimEnd()} …`;
}

function placeText({ before, after, words }: TextChange): string {
  const count = words === 1 ? '1 word' : `${words} words`;
  if (before === undefined || after === undefined) return count;
  if (before.page !== after.page) return `${count}, from page ${before.page} to page ${after.page}`;
  const distances = [
    distanceText(after.x - before.x, ['right', 'left']),
    distanceText(after.y - before.y, ['down', 'up']),
  ];
  return [count, ...distances.filter((text) => text !== '')].join(', ');
}

function distanceText(points: number, [positive, negative]: readonly [string, string]): string {
  const distance = Math.round(Math.abs(points) * 10) / 10;
  return distance === 0 ? '' : `${distance} pt ${points > 0 ? positive : negative}`;
}

function documentHtml(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}
</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}
