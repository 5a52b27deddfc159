/**
 * Ways for a page to show a file by its URL. Each way must show a file of the job, and must not show another file of the machine.
 */

export interface Channel {
  /** Completes the test title "a page cannot show a file of the machine by ...". */
  readonly by: string;
  /** The name of the file to show. */
  readonly file: 'x.html' | 'x.txt' | 'x.css' | 'x.js' | 'x.svg' | 'x.xml';
  readonly page: (address: string) => string;
  /** Whether the page navigates away, so that the two files are tried in separate pages. */
  readonly navigates?: true;
  /** Whether the browser prevents this way even for a file of the job. */
  readonly blockedByBrowser?: true;
}

const shown = 'text => document.body.append(text), () => document.body.append(" refused ")';

export const fileChannels: readonly Channel[] = [
  { by: 'a frame', file: 'x.html', page: (at) => `<iframe src="${at}"></iframe>` },
  { by: 'a frame of plain text', file: 'x.txt', page: (at) => `<iframe src="${at}"></iframe>` },
  {
    by: 'a frame of a frameset',
    file: 'x.html',
    page: (at) => `<iframe srcdoc="<frameset cols='*'><frame src='${at}'></frameset>"></iframe>`,
  },
  {
    by: 'a frame within a frame',
    file: 'x.html',
    page: (at) => `<iframe srcdoc="<iframe src='${at}'></iframe>"></iframe>`,
  },
  { by: 'an object', file: 'x.html', page: (at) => `<object data="${at}" type="text/html"></object>` },
  { by: 'an embedded page', file: 'x.html', page: (at) => `<embed src="${at}" type="text/html">` },
  { by: 'an image', file: 'x.svg', page: (at) => `<img src="${at}">` },
  { by: 'the srcset of an image', file: 'x.svg', page: (at) => `<img srcset="${at} 1x">` },
  {
    by: 'a background',
    file: 'x.svg',
    page: (at) => `<div style="width:99px;height:99px;background:url('${at}')"></div>`,
  },
  {
    by: 'an SVG image',
    file: 'x.svg',
    page: (at) => `<svg width="99" height="99"><image href="${at}" width="99" height="99"/></svg>`,
  },
  { by: 'a poster', file: 'x.svg', page: (at) => `<video poster="${at}" width="99" height="99"></video>` },
  { by: 'the button of a form', file: 'x.svg', page: (at) => `<input type="image" src="${at}">` },
  { by: 'a style sheet', file: 'x.css', page: (at) => `<link rel="stylesheet" href="${at}">` },
  { by: 'an imported style sheet', file: 'x.css', page: (at) => `<style>@import "${at}";</style>` },
  { by: 'a script', file: 'x.js', page: (at) => `<body><script src="${at}"></script>` },
  { by: 'a module', file: 'x.js', page: (at) => `<body><script type="module" src="${at}"></script>` },
  {
    by: 'import()',
    file: 'x.js',
    page: (at) =>
      `<body><script type="module">await import(new URL("${at}", document.baseURI)).catch(() => {})</script>`,
  },
  {
    by: 'fetch',
    file: 'x.txt',
    page: (at) => `<body><script>fetch("${at}").then(r => r.text()).then(${shown})</script>`,
  },
  {
    by: 'XMLHttpRequest',
    file: 'x.txt',
    page: (at) =>
      `<body><script>{ const x = new XMLHttpRequest(); x.open('GET', "${at}", false); try { x.send(); document.body.append(x.responseText) } catch {} }</script>`,
  },
  {
    by: 'a frame that navigates to it',
    file: 'x.html',
    page: (at) =>
      `<body><script>{ const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.location = "${at}" }</script>`,
  },
  {
    by: 'a form of a frame',
    file: 'x.html',
    page: (at) =>
      `<iframe name="f"></iframe><form target="f" action="${at}"></form><script>document.forms[0].submit()</script>`,
    navigates: true,
  },
  {
    by: 'a base URL',
    file: 'x.html',
    page: (at) => `<base href="${at}"><iframe src="x.html"></iframe>`,
    navigates: true,
  },
  { by: 'location', file: 'x.html', page: (at) => `<script>location = "${at}"</script>`, navigates: true },
  {
    by: 'a click on a link',
    file: 'x.html',
    page: (at) => `<a href="${at}">-</a><script>document.querySelector('a').click()</script>`,
    navigates: true,
  },
  {
    by: 'a meta refresh',
    file: 'x.html',
    page: (at) => `<meta http-equiv="refresh" content="0;url=${at}">`,
    navigates: true,
  },
  {
    by: 'a frame that navigates its page',
    file: 'x.html',
    page: (at) => `<iframe srcdoc="<script>top.location = '${at}'</script>"></iframe>`,
    navigates: true,
  },
  {
    by: 'a new window',
    file: 'x.html',
    page: (at) => `<script>document.write(String(open("${at}")))</script>`,
    navigates: true,
    blockedByBrowser: true,
  },
];

/** Notations of a file URL; `path` starts with a slash. */
export const fileSpellings: readonly (readonly [what: string, spelt: (path: string) => string])[] = [
  ['the usual URL', (path) => `file://${path}`],
  ['a scheme in capitals', (path) => `FILE://${path}`],
  ['a scheme in mixed case', (path) => `FiLe://${path}`],
  ['a scheme with one slash', (path) => `file:${path}`],
  ['two additional slashes', (path) => `file:////${path}`],
  ['localhost as the host', (path) => `file://localhost${path}`],
  ['127.0.0.1 as the host', (path) => `file://127.0.0.1${path}`],
  ['another host', (path) => `file://host.example${path}`],
  ['backslashes', (path) => `file:\\\\${path.replaceAll('/', '\\')}`],
  ['spaces and a line break in the scheme', (path) => ` \nfi\tle://${path}`],
  ['a path without a scheme', (path) => path],
  ['two slashes and no scheme', (path) => `//${path}`],
  ['a path with backslashes', (path) => path.replaceAll('/', '\\')],
  ['a path with ../', (path) => `${'../'.repeat(12)}${path.slice(1)}`],
  ['a path with encoded ../', (path) => `${'%2e%2e/'.repeat(12)}${path.slice(1)}`],
  ['../ with encoded slashes', (path) => `${'..%2f'.repeat(12)}${path.slice(1).replaceAll('/', '%2f')}`],
  ['../ encoded twice', (path) => `${'%252e%252e%252f'.repeat(12)}${path.slice(1)}`],
  ['..\\ with backslashes', (path) => `${'..\\'.repeat(12)}${path.slice(1)}`],
  ['..\\ with encoded backslashes', (path) => `${'..%5c'.repeat(12)}${path.slice(1)}`],
  ['../ that remains after stripping', (path) => `${'....//'.repeat(12)}${path.slice(1)}`],
  ['../ in overlong UTF-8', (path) => `${'%c0%ae%c0%ae/'.repeat(12)}${path.slice(1)}`],
  ['../ from a folder of the archive', (path) => `own/${'../'.repeat(12)}${path.slice(1)}`],
  ['an encoded absolute path', (path) => encodeURIComponent(path)],
  ['a zero byte at the end', (path) => `${'../'.repeat(12)}${path.slice(1)}%00.html`],
  ['the platen: scheme of the job', (path) => `platen://job${path}`],
  [
    'the platen: scheme of the job and ../',
    (path) => `platen://job/${'%2e%2e%2f'.repeat(12)}${path.slice(1)}`,
  ],
  ['another host of the platen: scheme', (path) => `platen://file${path}`],
  ['view-source:', (path) => `view-source:file://${path}`],
  ['filesystem:', (path) => `filesystem:file://${path}`],
  ['blob:', (path) => `blob:file://${path}`],
  ['jar:', (path) => `jar:file://${path}!/x`],
  ['a Windows share', (path) => `\\\\127.0.0.1\\share${path.replaceAll('/', '\\')}`],
  ['a Windows share with a drive', (path) => `file://127.0.0.1/c$${path}`],
  ['a Windows drive', (path) => `file:///C:${path}`],
  ['a Windows drive with a bar', (path) => `file:///C|${path}`],
  ['a Windows device path', (path) => `\\\\?\\C:${path.replaceAll('/', '\\')}`],
];
