/** Pages that use too much time or memory. */
import { htmlFile, type Fields } from '../../support/service/convert.ts';

export interface HeavyPage {
  /** The title of the test. */
  readonly what: string;
  readonly fields: () => Fields;
  /** Matches the error, or `converted: ` and the beginning of the document's text. */
  readonly expected: RegExp;
}

const page = (what: string, text: () => string, expected: RegExp): HeavyPage => ({
  what,
  fields: () => ({ text: text() }),
  expected,
});
const script = (what: string, source: string, expected: RegExp): HeavyPage =>
  page(what, () => `<body><p>start</p><script>${source}</script>`, expected);

/** `endless`: the page reaches the job timeout; `heavy`: it reaches a limit or is converted; `fine`: it is converted. */
const endless = /^400\.323 - /;
const heavy = /^(converted: |400\.3(06|23|26) - )/;
const fine = /^converted: start/;

const documents: readonly HeavyPage[] = [
  page('a page of a million nested elements', () => `start${'<div>'.repeat(1_000_000)}`, heavy),
  page('an attribute of 50 MB', () => `<p title="${'x'.repeat(50_000_000)}">start`, heavy),
  page(
    '20,000 table rows in one table',
    () => `start<table>${'<tr><td>x<td>y'.repeat(20_000)}</table>`,
    heavy,
  ),
  page('3,000 frames', () => `start${'<iframe srcdoc="x"></iframe>'.repeat(3000)}`, heavy),
  page(
    '300,000 style rules',
    () => `<style>${'p>b:not(i)~u{color:red}'.repeat(300_000)}</style><p>start`,
    heavy,
  ),
  page(
    'a data: URL of 30 MB',
    () => `<p>start<img src="data:image/png;base64,${'A'.repeat(30_000_000)}">`,
    heavy,
  ),
  page('a page taller than the maximum paper', () => '<p>start<div style="height:1e9px">', heavy),
  page('a zoom of a billion', () => '<p>start<div style="zoom:1e9">x</div>', heavy),
  page(
    'an SVG filter with an extreme blur',
    () =>
      '<p>start<svg width="9999" height="9999"><filter id="f"><feGaussianBlur stdDeviation="9999"/><feTurbulence numOctaves="99"/></filter><rect width="9999" height="9999" filter="url(#f)"/></svg>',
    heavy,
  ),
  page(
    'expensive selectors',
    () => `<style>:has(:has(x)) *:nth-last-child(odd) *{color:red}</style><p>start${'<b><i>x'.repeat(500)}`,
    heavy,
  ),
  page(
    'a page that reloads itself',
    () => '<p>start<meta http-equiv="refresh" content="0">',
    /^400\.321 - .*navigated to another address on its own more than/,
  ),
  page(
    'a page in UTF-7',
    () => '<meta charset="utf-7"><p>start+ADw-script+AD4-document.write(1)+ADw-/script+AD4-',
    /^converted: start\+ADw-script/,
  ),
  {
    what: 'a page of zero bytes',
    fields: () => ({ file: htmlFile(`<p>start${'\0'.repeat(100_000)}`) }),
    expected: /^(converted: |400\.305 - )/,
  },
  {
    what: 'a UTF-16 page that declares another encoding',
    fields: () => ({
      file: htmlFile(new Uint8Array(Buffer.from('\ufeff<meta charset="utf-8"><p>start', 'utf16le'))),
    }),
    expected: fine,
  },
];

const grow =
  'const a = []; setInterval(() => { for (let n = 0; n < 9; n += 1) a.push(new Uint8Array(2e7).fill(1)) }, 1)';

const scripts: readonly HeavyPage[] = [
  script('an endless loop', 'for (;;);', endless),
  // Each promise allocates memory, so the page may also reach the memory limit.
  script(
    'an endless loop of promises',
    'const f = () => Promise.resolve().then(f); f()',
    /^400\.3(06|23) - /,
  ),
  script('an endless regular expression', "/^(a+)+$/.test('a'.repeat(99) + '!')", endless),
  script('a page that is written endlessly', "for (;;) document.write('<p>x')", /^400\.3(06|23) - /),
  {
    what: 'a page that uses up memory',
    fields: () => ({ text: `<p>start<script>${grow}</script>`, javascript_delay: 2500 }),
    expected: /^400\.3(06|23) - /,
  },
  {
    what: 'WebAssembly that grows',
    fields: () => ({
      text: '<p>start<script>const a = []; onload = () => { for (;;) { const m = new WebAssembly.Memory({ initial: 1 }); m.grow(2000); new Uint8Array(m.buffer).fill(1); a.push(m) } }</script>',
    }),
    expected: /^400\.3(06|23) - /,
  },
  script(
    'a flood of workers',
    "for (let n = 0; n < 200; n += 1) new Worker(URL.createObjectURL(new Blob(['for (;;);'])))",
    heavy,
  ),
  script(
    'a flood of frames that open frames',
    "const f = (d) => { for (let n = 0; n < 9; n += 1) { const i = d.createElement('iframe'); d.body.append(i); if (n < 3) setTimeout(() => f(i.contentDocument)) } }; f(document)",
    heavy,
  ),
  script('endless dialogs', 'setInterval(() => { alert(1); confirm(2); prompt(3); print() }, 1)', heavy),
  script(
    'a page that tries to prevent its unload',
    "onbeforeunload = (e) => { e.preventDefault(); return 'stay' }; onunload = () => { for (const t = Date.now(); Date.now() - t < 500;); }",
    fine,
  ),
  script(
    'a flood of history',
    "for (let n = 0; n < 9999; n += 1) try { history.pushState(n, '', '#' + n) } catch {}",
    fine,
  ),
  script('endless fragment navigation', 'setInterval(() => { location.hash = Math.random() }, 1)', fine),
  script(
    'an endless MutationObserver loop',
    'new MutationObserver(() => document.body.append(new Text())).observe(document.body, { childList: true }); document.body.append(new Text())',
    heavy,
  ),
  script(
    'an endless ResizeObserver loop',
    "const p = document.querySelector('p'); new ResizeObserver(() => { p.style.width = Math.random() * 500 + 'px' }).observe(p)",
    fine,
  ),
  script(
    'shadow roots nested 5,000 deep',
    "let e = document.body; for (let n = 0; n < 5000; n += 1) { const d = document.createElement('div'); e.append(d); e = d.attachShadow({ mode: 'open' }) }",
    heavy,
  ),
  script(
    'a canvas of 32,767 by 32,767',
    "const c = document.createElement('canvas'); c.width = c.height = 32767; document.body.append(c); c.getContext('2d')?.fillRect(0, 0, 32767, 32767)",
    heavy,
  ),
  script(
    'excessive WebGL textures',
    "const g = document.createElement('canvas').getContext('webgl'); if (g) for (let n = 0; n < 200; n += 1) { g.bindTexture(g.TEXTURE_2D, g.createTexture()); g.texImage2D(g.TEXTURE_2D, 0, g.RGBA, 4096, 4096, 0, g.RGBA, g.UNSIGNED_BYTE, null) }",
    heavy,
  ),
  script(
    'a flood of console messages',
    "for (let n = 0; n < 200000; n += 1) console.log('x'.repeat(99))",
    heavy,
  ),
  {
    what: 'a flood of console messages of a worker, recorded',
    fields: () => ({
      text: `<p>start<script>new Worker(URL.createObjectURL(new Blob(["for (let n = 0; n < 100000; n += 1) console.log('x'.repeat(99))"])))</script>`,
      javascript_delay: 1000,
      debug_log: true,
    }),
    expected: heavy,
  },
  {
    what: "a caller's endless script",
    fields: () => ({ text: 'start', custom_javascript: 'for (;;);' }),
    expected: endless,
  },
  {
    what: "a caller's promise that never settles",
    fields: () => ({ text: 'start', on_load_javascript: 'new Promise(() => {})' }),
    expected: endless,
  },
];

export const heavyPages = [...documents, ...scripts];
