/** The kinds of state that a page can leave behind, and scripts that detect them. */

export interface StateKind {
  /** The kind of state, part of the test title. */
  readonly what: string;
  /**
   * The bodies of async functions in a page: `plant` creates the state, and the result of `probe` shows whether the state exists.
   */
  readonly plant: string;
  readonly probe: string;
}

const storage: readonly StateKind[] = [
  {
    what: 'a cookie',
    plant: "document.cookie = 'a=planted'",
    probe: "return document.cookie.includes('a=planted')",
  },
  {
    what: 'a persistent cookie',
    plant: "document.cookie = 'b=planted; Max-Age=99999; Path=/'",
    probe: "return document.cookie.includes('b=planted')",
  },
  {
    what: 'an HttpOnly cookie',
    plant: "await fetch('/cookie')",
    probe: "return (await (await fetch('/echo')).text()).includes('hidden=planted')",
  },
  {
    what: 'a persistent HttpOnly cookie',
    plant: "await fetch('/cookie')",
    probe: "return (await (await fetch('/echo')).text()).includes('lasting=planted')",
  },
  { what: 'local storage', plant: "localStorage.a = 'planted'", probe: 'return localStorage.a ?? null' },
  {
    what: 'session storage',
    plant: "sessionStorage.a = 'planted'",
    probe: 'return sessionStorage.a ?? null',
  },
  {
    what: 'an IndexedDB database',
    plant:
      "await new Promise((resolve) => { const r = indexedDB.open('planted'); r.onsuccess = () => { r.result.close(); resolve() } })",
    probe: 'return (await indexedDB.databases()).map(({ name }) => name)',
  },
  {
    what: 'the Cache API',
    plant: "await (await caches.open('planted')).put('/x', new Response('planted'))",
    probe: 'return caches.keys()',
  },
  {
    what: 'a file in the origin private file system',
    plant: "await (await navigator.storage.getDirectory()).getFileHandle('planted', { create: true })",
    probe:
      'const names = []; for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name); return names',
  },
  {
    what: 'a storage bucket',
    plant: "await navigator.storageBuckets.open('planted')",
    probe: 'return navigator.storageBuckets.keys()',
  },
];

const workers: readonly StateKind[] = [
  {
    what: 'a service worker',
    plant: "await navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready",
    probe: 'return (await navigator.serviceWorker.getRegistrations()).length',
  },
  {
    what: 'control by a service worker',
    plant:
      "const come = new Promise((resolve) => (navigator.serviceWorker.oncontrollerchange = resolve)); await navigator.serviceWorker.register('/worker.js'); if (!navigator.serviceWorker.controller) await come",
    probe:
      "const answer = await fetch('/by-worker'); return [answer.status, navigator.serviceWorker.controller === null]",
  },
  {
    what: 'a shared worker',
    plant:
      "const { port } = new SharedWorker('/shared.js', 'planted'); await new Promise((resolve) => { port.onmessage = resolve; port.postMessage('planted') })",
    probe:
      "const { port } = new SharedWorker('/shared.js', 'planted'); return new Promise((resolve) => { port.onmessage = ({ data }) => resolve(data); port.postMessage('') })",
  },
  {
    what: 'a listener on a broadcast channel',
    plant:
      "globalThis.channel = new BroadcastChannel('planted'); channel.onmessage = () => channel.postMessage('planted')",
    probe:
      "const own = new BroadcastChannel('planted'); return soon(new Promise((resolve) => { own.onmessage = ({ data }) => resolve(data); own.postMessage('any') }))",
  },
  {
    what: 'a lock',
    plant:
      "await new Promise((resolve) => void navigator.locks.request('planted', () => { resolve(); return new Promise(() => {}) }))",
    probe: 'return (await navigator.locks.query()).held.map(({ name }) => name)',
  },
  {
    what: 'a storage event',
    plant:
      "const f = document.createElement('iframe'); document.body.append(f); globalThis.timer = setInterval(() => { f.contentWindow.localStorage.tick = Math.random() }, 10)",
    probe: "return soon(new Promise((resolve) => addEventListener('storage', ({ key }) => resolve(key))))",
  },
];

const caches: readonly StateKind[] = [
  ...Object.entries({
    '/kept': 'an immutable page',
    '/moved': 'a permanent redirect',
    '/gone': 'a page with status 410',
  }).map(([path, what]) => ({
    what: `the cached response of ${what}`,
    plant: `await (await fetch('${path}')).text()`,
    probe: `return fetch('${path}', { cache: 'only-if-cached', mode: 'same-origin' }).then(({ status }) => status, () => 'none')`,
  })),
  {
    what: 'the ETag of a cached response',
    plant: "await (await fetch('/tagged')).text()",
    probe: "return (await fetch('/tagged', { headers: {} })).text()",
  },
  {
    what: 'a cached CORS preflight',
    plant: "await fetch(`http://localhost:${location.port}/preflighted`, { headers: { 'x-a': '1' } })",
    probe:
      "const asked = async () => Number(await (await fetch('/preflight-count')).text()); const before = await asked(); await fetch(`http://localhost:${location.port}/preflighted`, { headers: { 'x-a': '1' } }); return (await asked()) - before",
  },
  {
    what: 'HTTP authentication',
    plant:
      "await new Promise((resolve) => { const x = new XMLHttpRequest(); x.open('GET', '/signed-in', true, 'user', 'planted'); x.onloadend = resolve; x.send() })",
    probe: "return (await fetch('/signed-in')).status",
  },
];

const page: readonly StateKind[] = [
  { what: 'the name of the window', plant: "name = 'planted'", probe: 'return name' },
  {
    what: 'the history',
    plant: "history.pushState('planted', '', '#planted')",
    probe: 'return history.state',
  },
  { what: 'a global', plant: 'globalThis.planted = 1', probe: "return 'planted' in globalThis" },
  {
    what: 'a changed prototype',
    plant: 'Object.prototype.planted = 1',
    probe: 'return ({}).planted ?? null',
  },
  {
    what: 'a changed built-in function',
    plant: "fetch.planted = 1; JSON.parse = () => 'planted'",
    probe: "return [fetch.planted ?? null, JSON.parse('1')]",
  },
  {
    what: 'a custom element',
    plant: "customElements.define('a-planted', class extends HTMLElement {})",
    probe: "return customElements.get('a-planted') === undefined",
  },
  {
    what: 'a registered CSS property',
    plant:
      "CSS.registerProperty({ name: '--planted', syntax: '<length>', inherits: false, initialValue: '7px' })",
    probe: "return getComputedStyle(document.body).getPropertyValue('--planted')",
  },
  {
    what: 'a style sheet',
    plant:
      "const s = new CSSStyleSheet(); s.replaceSync('body{outline:7px solid}'); document.adoptedStyleSheets = [s]",
    probe: 'return getComputedStyle(document.body).outlineWidth',
  },
  {
    what: 'a font',
    plant: "document.fonts.add(new FontFace('planted', 'local(Arial)'))",
    probe: 'return document.fonts.size',
  },
  {
    what: 'a blob: URL',
    plant: "await leave(URL.createObjectURL(new Blob(['planted'])))",
    probe:
      "const at = await left(); return at.startsWith('blob:') ? fetch(at).then((answer) => answer.text(), () => 'none') : 'none'",
  },
  {
    what: 'a selection',
    plant: "getSelection().selectAllChildren(document.querySelector('p'))",
    probe: 'return String(getSelection())',
  },
  {
    what: 'a performance mark',
    plant: "performance.mark('planted')",
    probe: "return performance.getEntriesByName('planted').length",
  },
  {
    what: 'a named frame',
    plant: "const f = document.createElement('iframe'); f.name = 'framed'; document.body.append(f)",
    probe: "const w = open('', 'framed'); return w !== null && w === frames.framed",
  },
  {
    what: 'a pagehide handler',
    plant:
      "onpagehide = () => { localStorage.late = 'planted'; name = 'late' }; dispatchEvent(new Event('pagehide'))",
    probe: 'return [localStorage.late ?? null, name]',
  },
];

/** The states by group. A page plants all states of a group in order; states that affect the others are last. */
export const groups = { storage, workers, caches, page };

/** Returns the bodies of two async functions: `plant` creates all states, and `probe` returns the result of each probe by name. */
export function together(states: readonly StateKind[]): Pick<StateKind, 'plant' | 'probe'> {
  const probes = states.map(({ what, probe }) => `found['${what}'] = await (async () => { ${probe} })()`);
  return {
    plant: states.map(({ plant }) => `await (async () => { ${plant} })()`).join(';\n'),
    probe: `const found = {}; ${probes.join(';\n')}; return found`,
  };
}
