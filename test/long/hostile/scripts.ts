/** Attacks that use scripts: requests, sockets, workers, and other network APIs. */
import { report, type Attack } from './attack.ts';

const text = JSON.stringify;
/** Returns an expression for a blob: URL of the script. */
const blob = (script: string) =>
  `URL.createObjectURL(new Blob([${text(script)}], { type: 'text/javascript' }))`;

export const requests: readonly Attack[] = [
  { by: 'fetch', script: ({ url }) => `fetch("${url}")` },
  {
    by: 'fetch without CORS',
    script: ({ url }) => `fetch("${url}", { mode: 'no-cors', credentials: 'include' })`,
  },
  {
    by: 'a fetch that outlives the page',
    script: ({ url }) => `fetch("${url}", { keepalive: true, method: 'POST', body: 'x' })`,
  },
  {
    by: 'a request with another method',
    script: ({ url }) => `fetch("${url}", { method: 'DELETE', headers: { 'x-a': '1' } })`,
  },
  {
    by: 'XMLHttpRequest',
    script: ({ url }) => `const x = new XMLHttpRequest(); x.open('GET', "${url}"); x.send()`,
  },
  {
    by: 'a synchronous XMLHttpRequest',
    script: ({ url }) =>
      `const x = new XMLHttpRequest(); x.open('GET', "${url}", false); try { x.send() } catch {}`,
  },
  { by: 'sendBeacon', script: ({ url }) => `navigator.sendBeacon("${url}", 'x')` },
  {
    by: 'the ping attribute of a link',
    script: ({ id, url, ran }) =>
      `document.body.insertAdjacentHTML('beforeend', '<iframe name="${id}"></iframe><a target="${id}" ping="${url}" href="${ran}">x</a>'); document.querySelector('a[ping="${url}"]').click()`,
    blockedByBrowser: true,
  },
  { by: 'WebSocket', script: ({ host, path }) => `new WebSocket("ws://${host}${path}")` },
  {
    by: 'WebSocket over TLS',
    script: ({ host, path }) => `new WebSocket("wss://${host}${path}")`,
    options: { verify_ssl_certificates: false },
  },
  { by: 'EventSource', script: ({ url }) => `new EventSource("${url}.events")` },
  {
    by: 'fetch over TLS',
    script: ({ host, path }) => `fetch("https://${host}${path}")`,
    options: { verify_ssl_certificates: false },
  },
  { by: 'a new Image', script: ({ url }) => `new Image().src = "${url}"` },
  { by: 'a new FontFace', script: ({ url }) => `new FontFace('f', 'url(${url})').load().catch(() => {})` },
  {
    by: 'a new style sheet',
    script: ({ id, url }) =>
      `document.body.insertAdjacentHTML('beforeend', '<p id="${id}">x'); const s = new CSSStyleSheet(); s.replaceSync('#${id}{background:url(${url})}'); document.adoptedStyleSheets = [...document.adoptedStyleSheets, s]`,
  },
  { by: 'an Audio element', script: ({ url }) => `new Audio("${url}").load()` },
  {
    by: 'a page written into the document',
    script: ({ url }) => `document.write('<script src="${url}.js"><\\/script>')`,
  },
  {
    by: 'a WebAssembly module',
    script: ({ url }) => `WebAssembly.compileStreaming(fetch("${url}")).catch(() => {})`,
  },
  { by: 'a script', page: ({ url }) => `<script src="${url}.js"></script>` },
  { by: 'a module', page: ({ url }) => `<script type="module" src="${url}.js"></script>` },
  { by: 'an imported module', page: ({ url }) => `<script type="module">import "${url}.js"</script>` },
  { by: 'import()', script: ({ url }) => `import("${url}.js").catch(() => {})` },
  {
    by: 'an import map',
    page: ({ url }) =>
      `<script type="importmap">{"imports":{"x":"${url}.js"}}</script><script type="module">import "x"</script>`,
    ownPage: true,
  },
  {
    by: 'the source map of a script',
    page: ({ url, ran }) => `<script>\n//# sourceMappingURL=${url}.map\nnew Image().src = "${ran}"</script>`,
    blockedByBrowser: true,
  },
  {
    by: 'the attributionsrc attribute of an image',
    page: ({ url, ran }) => `<img src="${ran}" attributionsrc="${url}">`,
    blockedByBrowser: true,
  },
  {
    by: 'a page in a blob: URL',
    script: ({ url }) =>
      `const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob(['<img src="${url}">'], { type: 'text/html' })); document.body.append(f)`,
    from: 'server',
  },
  { by: 'a javascript: URL', page: ({ url }) => `<iframe src="javascript:'<img src=${url}>'"></iframe>` },
  {
    by: 'an XSL transformation that loads a document',
    from: 'server',
    script: (aim) => {
      const sheet = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><x><xsl:copy-of select="document('${aim.url}')"/></x></xsl:template></xsl:stylesheet>`;
      return `const p = new DOMParser(), x = new XSLTProcessor();
        x.importStylesheet(p.parseFromString(${text(sheet)}, 'text/xml'));
        try { x.transformToDocument(p.parseFromString('<a/>', 'text/xml')) } catch {} ${report(aim)}`;
    },
    blockedByBrowser: true,
  },
  {
    by: 'an external entity',
    script: (aim) =>
      `new DOMParser().parseFromString('<!DOCTYPE a [<!ENTITY x SYSTEM "${aim.url}">]><a>&x;</a>', 'text/xml'); ${report(aim)}`,
    blockedByBrowser: true,
  },
];

export const sockets: readonly Attack[] = [
  {
    by: 'WebTransport',
    from: 'server',
    script: (aim) =>
      `const t = new WebTransport("https://${aim.host}${aim.path}"); t.closed.catch(() => {}); t.ready.catch(() => {}).finally(() => { ${report(aim)} })`,
    blockedByBrowser: true,
  },
  ...[
    ['STUN', (host: string) => `{ urls: 'stun:${host}' }`],
    ['TURN', (host: string) => `{ urls: 'turn:${host}', username: 'u', credential: 'c' }`],
  ].map(([name, server]): Attack => ({
    by: `a ${String(name)} server of WebRTC`,
    script: (aim) => gather((server as (host: string) => string)(aim.host), report(aim)),
    blockedByBrowser: true,
  })),
  ...['turn', 'turns'].map((scheme): Attack => ({
    by: `a ${scheme}: server of WebRTC over TCP`,
    script: (aim) =>
      gather(`{ urls: '${scheme}:${aim.host}?transport=tcp', username: 'u', credential: 'c' }`, report(aim)),
    blockedByBrowser: true,
  })),
  {
    by: 'an ICE candidate of WebRTC',
    script: (
      aim,
    ) => `const a = new RTCPeerConnection(), sdp = 'v=0\\r\\no=- 1 1 IN IP4 127.0.0.1\\r\\ns=-\\r\\nt=0 0\\r\\na=group:BUNDLE 0\\r\\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\\r\\nc=IN IP4 127.0.0.1\\r\\na=mid:0\\r\\na=ice-ufrag:abcd\\r\\na=ice-pwd:abcdefghijklmnopqrstuvwx\\r\\na=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AA').join(':')}\\r\\na=setup:actpass\\r\\na=sctp-port:5000\\r\\n';
      (async () => {
        await a.setRemoteDescription({ type: 'offer', sdp });
        await a.setLocalDescription(await a.createAnswer());
        for (const kind of ['udp', 'tcp']) await a.addIceCandidate({ sdpMid: '0', candidate: 'candidate:1 1 ' + kind + ' 2122260223 127.0.0.1 ${aim.port} typ host' + (kind === 'tcp' ? ' tcptype passive' : '') });
        ${report(aim)}
      })()`,
    blockedByBrowser: true,
  },
];

function gather(server: string, then: string): string {
  return `const c = new RTCPeerConnection({ iceServers: [${server}] }); c.createDataChannel('x');
    c.onicegatheringstatechange = () => { if (c.iceGatheringState === 'complete') { ${then} } };
    c.createOffer().then((o) => c.setLocalDescription(o))`;
}

export const workers: readonly Attack[] = [
  { by: 'a worker', script: ({ url }) => `new Worker(${blob(`fetch("${url}")`)})` },
  {
    by: 'a worker within a worker',
    script: ({ url }) => `new Worker(${blob(`new Worker(${blob(`fetch("${url}")`)})`)})`,
  },
  {
    by: 'importScripts in a worker',
    script: ({ url }) => `new Worker(${blob(`importScripts("${url}.js")`)})`,
  },
  {
    by: 'a module in a worker',
    script: ({ url }) => `new Worker(${blob(`import "${url}.js"`)}, { type: 'module' })`,
  },
  {
    by: 'a WebSocket in a worker',
    script: ({ host, path }) => `new Worker(${blob(`new WebSocket("ws://${host}${path}")`)})`,
  },
  {
    by: 'an EventSource in a worker',
    script: ({ url }) => `new Worker(${blob(`new EventSource("${url}")`)})`,
  },
  {
    by: 'XMLHttpRequest in a worker',
    script: ({ url }) =>
      `new Worker(${blob(`const x = new XMLHttpRequest(); x.open('GET', "${url}", false); x.send()`)})`,
  },
  {
    by: 'a shared worker',
    from: 'server',
    script: ({ url }) => `new SharedWorker(${blob(`fetch("${url}")`)})`,
  },
  {
    by: 'a service worker',
    from: 'server',
    script: ({ url, serve }) =>
      `navigator.serviceWorker.register("${serve(`fetch("${url}")`, { type: 'text/javascript' })}")`,
  },
  {
    by: 'importScripts in a service worker',
    from: 'server',
    script: ({ url, serve }) =>
      `navigator.serviceWorker.register("${serve(`importScripts("${url}.js")`, { type: 'text/javascript' })}").catch(() => {})`,
  },
  {
    by: 'an audio worklet',
    from: 'server',
    script: ({ url }) =>
      `new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule("${url}.js").catch(() => {})`,
  },
  {
    by: 'a paint worklet',
    from: 'server',
    script: ({ url }) => `CSS.paintWorklet.addModule("${url}.js").catch(() => {})`,
  },
];

export const reports: readonly Attack[] = [
  {
    by: 'the reports of a Content-Security-Policy',
    headers: ({ url }) => ({ 'content-security-policy': `style-src 'none'; report-uri ${url}` }),
    page: () => '<style>p{}</style>',
    ownPage: true,
  },
  ...[
    [
      'Reporting-Endpoints',
      ({ url }: { url: string }) => ({
        'reporting-endpoints': `e="${url}"`,
        'content-security-policy': "style-src 'none'; report-to e",
      }),
    ],
    [
      'Report-To',
      ({ url }: { url: string }) => ({
        'report-to': text({ group: 'e', max_age: 600, endpoints: [{ url }] }),
        'content-security-policy': "style-src 'none'; report-to e",
      }),
    ],
    [
      'NEL',
      ({ url }: { url: string }) => ({
        'report-to': text({ group: 'e', max_age: 600, endpoints: [{ url }] }),
        nel: text({ report_to: 'e', max_age: 600, success_fraction: 1 }),
      }),
    ],
  ].map(([name, headers]): Attack => ({
    by: `the header ${String(name)}`,
    headers: headers as NonNullable<Attack['headers']>,
    page: () => '<style>p{}</style>',
    script: report,
    ownPage: true,
    blockedByBrowser: true,
  })),
  {
    by: 'the header Alt-Svc',
    headers: ({ host }) => ({ 'alt-svc': `h3="${host}"; ma=600, h2="${host}"` }),
    script: (aim) => `fetch("${aim.serve('x')}").then(() => { ${report(aim)} })`,
    ownPage: true,
    blockedByBrowser: true,
  },
  {
    by: 'a payment request',
    from: 'server',
    script: (aim) =>
      `try { new PaymentRequest([{ supportedMethods: "https://${aim.host}${aim.path}" }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).canMakePayment().catch(() => {}).finally(() => { ${report(aim)} }) } catch { ${report(aim)} }`,
    blockedByBrowser: true,
  },
  {
    by: 'a sign-in with an identity provider',
    from: 'server',
    script: (aim) =>
      `Promise.race([navigator.credentials.get({ identity: { providers: [{ configURL: "${aim.url}", clientId: 'x' }] } }), fetch("${aim.serve('x')}")]).catch(() => {}).finally(() => { ${report(aim)} })`,
    blockedByBrowser: true,
  },
];
