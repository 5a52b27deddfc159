/** Attacks that use navigation: links, forms, windows, redirects. */
import { report, type Attack } from './attack.ts';

/** An attempt that navigates away, so that the allowed and the forbidden server are tried in separate pages. */
const leaving = (by: string, script: NonNullable<Attack['script']>): Attack => ({
  by,
  script,
  ownPage: true,
});

export const navigations: readonly Attack[] = [
  leaving('location', ({ url }) => `location = "${url}"`),
  leaving('a delayed location.replace', ({ url }) => `setTimeout(() => location.replace("${url}"), 20)`),
  leaving(
    'a click on a link',
    ({ url }) => `const a = document.createElement('a'); a.href = "${url}"; a.click()`,
  ),
  leaving(
    'a form',
    ({ url }) =>
      `const f = document.createElement('form'); f.action = "${url}"; document.body.append(f); f.submit()`,
  ),
  leaving(
    'a form that posts',
    ({ url }) =>
      `const f = document.createElement('form'); f.method = 'post'; f.action = "${url}"; document.body.append(f); f.submit()`,
  ),
  leaving('the Navigation API', ({ url }) => `navigation.navigate("${url}").finished.catch(() => {})`),
  leaving(
    'a frame that navigates its page',
    ({ url }) =>
      `const f = document.createElement('iframe'); f.srcdoc = '<script>top.location = "${url}"<\\/script>'; document.body.append(f)`,
  ),
  {
    by: 'a meta refresh',
    page: ({ url }) => `<meta http-equiv="refresh" content="0;url=${url}">`,
    ownPage: true,
    afterLoad: true,
  },
  {
    by: 'a Refresh header',
    headers: ({ url }) => ({ refresh: `0; url=${url}` }),
    ownPage: true,
    afterLoad: true,
  },
  {
    by: 'the popstate event',
    from: 'server',
    script: ({ url }) =>
      `history.pushState(0, '', '?x'); addEventListener('popstate', () => { location = "${url}" }); history.back()`,
    ownPage: true,
  },
  {
    by: 'the location of a frame',
    script: ({ url }) =>
      `const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.location = "${url}"`,
  },
  {
    by: 'a form of a frame',
    page: ({ id, url }) =>
      `<iframe name="${id}"></iframe><form id="f${id}" target="${id}" method="post" action="${url}"></form><script>document.getElementById('f${id}').submit()</script>`,
  },
  {
    by: 'the button of a form',
    page: ({ id, url }) =>
      `<iframe name="${id}"></iframe><form target="${id}"><button id="b${id}" formaction="${url}"></button></form><script>document.getElementById('b${id}').click()</script>`,
  },
  {
    by: 'a new window',
    script: (aim) => `const w = open("${aim.url}"); ${report(aim)}`,
    blockedByBrowser: true,
  },
  {
    by: 'a link to a new window',
    script: (aim) =>
      `const a = document.createElement('a'); a.target = '_blank'; a.href = "${aim.url}"; a.click(); ${report(aim)}`,
    blockedByBrowser: true,
  },
  {
    by: 'a download',
    script: ({ url }) =>
      `const a = document.createElement('a'); a.download = 'x'; a.href = "${url}"; a.click()`,
    from: 'server',
  },
];

/** A subresource whose URL redirects to the target. */
const redirected = (what: string, page: (to: string, id: string) => string, status = 302): Attack => ({
  by: `a redirect (${status}) of ${what}`,
  page: ({ id, url, redirect }) => page(redirect(status, url), id),
});

export const redirects: readonly Attack[] = [
  ...[301, 302, 303, 307, 308].map((status) => redirected('an image', (to) => `<img src="${to}">`, status)),
  redirected('a style sheet', (to) => `<link rel="stylesheet" href="${to}">`),
  redirected('a font', (to) => `<style>@font-face{font-family:r;src:url(${to})}p{font-family:r}</style>`),
  redirected('a script', (to) => `<script src="${to}"></script>`),
  redirected('a module', (to) => `<script type="module" src="${to}"></script>`),
  redirected('a frame', (to) => `<iframe src="${to}"></iframe>`, 307),
  redirected('an object', (to) => `<object data="${to}"></object>`),
  redirected('a video', (to) => `<video preload="auto" src="${to}"></video>`),
  redirected('fetch', (to) => `<script>fetch("${to}", { mode: 'no-cors' })</script>`, 308),
  redirected(
    'XMLHttpRequest',
    (to) => `<script>{ const x = new XMLHttpRequest(); x.open('GET', "${to}"); x.send() }</script>`,
  ),
  redirected('EventSource', (to) => `<script>new EventSource("${to}")</script>`),
  redirected('sendBeacon', (to) => `<script>navigator.sendBeacon("${to}", 'x')</script>`, 307),
  redirected(
    'a form',
    (to, id) =>
      `<iframe name="${id}"></iframe><form id="f${id}" target="${id}" method="post" action="${to}"></form><script>document.getElementById('f${id}').submit()</script>`,
    307,
  ),
  redirected('a preload', (to) => `<link rel="preload" as="image" href="${to}">`),
  {
    ...redirected('a page that a script navigates to', (to) => `<script>location = "${to}"</script>`),
    ownPage: true,
  },
  {
    by: 'a chain of redirects',
    page: ({ url, redirect }) =>
      `<img src="${redirect(301, redirect(302, redirect(307, redirect(308, url))))}">`,
  },
  {
    by: 'a redirect to TLS',
    page: ({ host, path, redirect }) => `<img src="${redirect(302, `https://${host}${path}`)}">`,
    options: { verify_ssl_certificates: false },
  },
  {
    by: 'a redirect to a URL with a user name',
    page: ({ host, path, redirect, ran }) =>
      `<img src="${redirect(302, `http://example.com@${host}${path}`)}"><img src="${ran}">`,
    blockedByBrowser: true,
  },
  {
    by: 'a redirect without a scheme',
    page: ({ host, path, redirect }) => `<img src="${redirect(302, `//${host}${path}`)}">`,
  },
  {
    by: 'a redirect in another notation',
    page: ({ port, path, redirect }) => `<img src="${redirect(302, `http://0x7f.1:${port}${path}`)}">`,
  },
];

const documentRedirect = (status: number): Attack => ({
  by: `a redirect (${status}) of the page itself`,
  fields: ({ url, redirect }) => ({ url: redirect(status, url) }),
  failsJob: true,
});

export const documentRedirects: readonly Attack[] = [
  ...[301, 302, 303, 307, 308].map(documentRedirect),
  {
    by: 'a chain of redirects of the page itself',
    fields: ({ url, redirect }) => ({ url: redirect(302, redirect(301, redirect(308, url))) }),
    failsJob: true,
  },
  {
    by: 'a meta refresh of the target of a redirect',
    fields: ({ url, redirect, serve }) => ({
      url: redirect(302, serve(`<meta http-equiv="refresh" content="0;url=${url}">`)),
    }),
  },
];
