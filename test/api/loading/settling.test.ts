/** The state of a page with scripts when it is converted with default options. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { convert, send, type ConversionResponse, type Fields } from '../../support/service/convert.ts';
import { isNear, readImage } from '../../support/output/image.ts';
import { pdfImage, pdfText, pdfWords } from '../../support/output/pdf.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { serveWeb, type Routes } from '../../support/servers/web-server.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

async function textOf(fields: Fields): Promise<string> {
  return pdfText(await convert(service, fields));
}

/** Converts a page that is served at `/` together with other routes, and returns its text. */
async function textOfSite(page: string, routes: Routes = {}, options: Fields = {}): Promise<string> {
  await using web = await serveWeb({ '/': page, ...routes });
  return await textOf({ url: web.url, ...options });
}

/** Returns the options that each `not-quiet` finding in the debug log of a response names. */
async function optionsOfNotQuiet(answer: ConversionResponse): Promise<unknown[]> {
  const { events } = await readDebugLog(answer);
  return events.flatMap(({ kind, detail }) =>
    kind === 'note' && detail.code === 'not-quiet' ? [detail.options] : [],
  );
}

const script = (code: string) => `<p id="p">early</p><script>${code}</script>`;
const done = 'p.textContent = "done"';
const scrolled = `p.insertAdjacentHTML('afterend', '<div id="b" style="overflow: hidden; width: 90px"><div style="width: 9000px; height: 9px">');`;

/** Returns a page that runs the code in each of 250 animation frames. The code may use a scrollable element, a field and canvases. */
const frames = (code: string) =>
  script(`${scrolled} p.insertAdjacentHTML('afterend', '<input id="f" hidden><canvas id="c"></canvas>');
    const o = new OffscreenCanvas(300, 9), x = o.getContext('2d'); let n = 0;
    const step = () => { n += 1; ${code}; n < 250 ? requestAnimationFrame(step) : ${done} }; step()`);

describe('a page is converted when its', () => {
  const pages: Readonly<Record<string, string>> = {
    'chain of timers has run': script(
      `const step = (n) => n === 0 ? ${done} : setTimeout(step, 300, n - 1); step(8)`,
    ),
    'interval has ended itself': script(
      `let n = 0; const i = setInterval(() => { if (++n === 20) { clearInterval(i); ${done} } }, 100)`,
    ),
    'animation frames have ended after a certain time': script(
      `let from; const step = (t) => { from ??= t; p.style.left = t + 'px'; t - from < 3000 ? requestAnimationFrame(step) : ${done} };
       requestAnimationFrame(step)`,
    ),
    'animation frames have ended after a certain number': script(
      `let n = 0; const step = () => { p.style.left = ++n + 'px'; n < 250 ? requestAnimationFrame(step) : ${done} }; step()`,
    ),
    'animation frames have scrolled an element a certain number of times': frames('b.scrollLeft = n'),
    'animation frames have changed a field a certain number of times': frames('f.value = n'),
    'animation frames have shown a certain number of bitmaps': frames(
      `x.fillRect(0, 0, n, 9); c.getContext('bitmaprenderer').transferFromImageBitmap(o.transferToImageBitmap())`,
    ),
    'animation frames, which change it after an await, have ended after a certain number': script(
      `let n = 0; const step = async () => { await null; await null; p.style.left = ++n + 'px'; n < 250 ? requestAnimationFrame(step) : ${done} }; step()`,
    ),
    'animation frames have been counted before anything is shown': script(
      `let n = 0; const step = () => { ++n < 90 ? requestAnimationFrame(step) : ${done} }; step()`,
    ),
    'animation frames have ended after a certain number beyond the limit, before timers that are due later':
      script(
        `let n = 0, late = false; setInterval(() => {}, 1000); setTimeout(() => { late = true }, 5400);
       const step = () => { p.style.left = ++n + 'px'; if (n < 350) requestAnimationFrame(step); else if (!late) ${done} }; step()`,
      ),
    'smooth scrolling has ended': script(
      `${scrolled} b.onscrollend = () => { if (b.scrollLeft === 400) ${done} }; b.scrollTo({ left: 400, behavior: 'smooth' })`,
    ),
    'animation with its own timeline has ended': script(
      `const a = new Animation(new KeyframeEffect(p, { opacity: [0, 1] }, 2000), new DocumentTimeline());
       a.finished.then(() => { ${done} }); a.play()`,
    ),
    'animation frames, which change it only at their end, are over': script(
      `const from = performance.now(); const step = (t) => { if (t - from < 2000) return requestAnimationFrame(step); ${done} };
       requestAnimationFrame(step)`,
    ),
    'animation frames have ended after a certain time of the timeline': script(
      `const from = document.timeline.currentTime; const step = () => { const t = document.timeline.currentTime - from; p.style.left = t + 'px';
       if (t < 3000) requestAnimationFrame(step); else ${done} }; requestAnimationFrame(step)`,
    ),
    'animation frames have ended after a certain position of an animation': script(
      `const a = p.animate({ opacity: [0.5, 1] }, 4000); const step = () => { p.style.left = a.currentTime + 'px';
       if (a.currentTime < 2500) requestAnimationFrame(step); else ${done} }; requestAnimationFrame(step)`,
    ),
    'animation, which started at a time of the timeline, has ended': script(
      `setTimeout(() => { const a = p.animate({ opacity: [0, 1] }, 1000); a.startTime = document.timeline.currentTime;
       a.finished.then(() => { ${done} }) }, 3000)`,
    ),
    'event that is later than its listener has been handled': script(
      `setTimeout(() => { const since = performance.now(); p.onclick = ({ timeStamp }) => { if (timeStamp >= since - 1) ${done} };
       setTimeout(() => p.click(), 500) }, 2000)`,
    ),
    'timer with code as text has run': script(`setTimeout("p.textContent = 'done'", 1500)`),
    'delayed task has run': script(`scheduler.postTask(() => { ${done} }, { delay: 1500 })`),
    'signal has timed out': script(`AbortSignal.timeout(1500).onabort = () => { ${done} }`),
    'idle callback has run': script(`requestIdleCallback(() => { ${done} })`),
    'awaited pauses are over': script(
      `const pause = (ms) => new Promise((r) => setTimeout(r, ms)); (async () => { for (let n = 0; n < 5; n++) await pause(500); ${done} })()`,
    ),
    'transition has ended': `<style>#p { transition: opacity 2s } .in { opacity: 0.5 }</style>${script(
      `p.addEventListener('transitionend', () => { ${done} }); setTimeout(() => p.classList.add('in'), 100)`,
    )}`,
    'animations have ended one after the other': script(
      `(async () => { for (let n = 0; n < 3; n++) await p.animate({ opacity: [0, 1] }, 900).finished; ${done} })()`,
    ),
    'worker has answered': script(
      `const w = new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage("done"), 200)'])));
       w.onmessage = ({ data }) => { p.textContent = data }`,
    ),
    'element has been resized and observed': script(
      `new ResizeObserver(([{ contentRect }]) => { if (contentRect.width < 300) ${done} }).observe(p);
       setTimeout(() => { p.style.width = '200px' }, 400)`,
    ),
    'messages between frames have arrived': `${script('onmessage = ({ data }) => { p.textContent = data }')}
       <iframe srcdoc="<script>setTimeout(() => parent.postMessage('done', '*'), 1500)</script>"></iframe>`,
    'slices of work, separated by messages, are done': script(
      `const c = new MessageChannel(); let n = 0; c.port1.onmessage = () => { const t = performance.now(); while (performance.now() - t < 4);
       ++n < 60 ? c.port2.postMessage(0) : ${done} }; c.port2.postMessage(0)`,
    ),
  };
  for (const [what, text] of Object.entries(pages))
    test(what, async () => {
      assert.equal(await textOf({ text }), 'done');
    });

  test('srcdoc frames have loaded, with and without a debug log', async () => {
    const frameHtml =
      '<p id=p></p><script>p.textContent = [confirm(1), prompt(1)]; setTimeout(() => p.append(3), 3000)</script>';
    const text = `<script>1</script><iframe srcdoc="${frameHtml}"></iframe>`;
    for (const debug_log of [false, true]) assert.equal(await textOf({ text, debug_log }), 'false,3');
  });
});

test('endless animation frames do not block timers on a page with a hidden iframe', async () => {
  const busy =
    'const busy = () => { const t = performance.now(); while (performance.now() - t < 20); p.title += 1; requestAnimationFrame(busy) }; busy()';
  const hidden =
    '<iframe style="display:none" srcdoc="<script>new ResizeObserver(() => {}).observe(document.documentElement)</script>"></iframe>';
  assert.equal(
    await textOf({ text: `${script(`${busy}; setTimeout(() => { ${done} }, 4000)`)}${hidden}` }),
    'done',
  );
});

describe('requests', () => {
  const later = (body: string, ms: number): Routes[string] => {
    return (_request, response) => setTimeout(() => response.end(body), ms);
  };

  test('that a page sends one after another are awaited', async () => {
    const page = script(`fetch('/a').then((r) => r.json()).then(({ next }) => {
      const x = new XMLHttpRequest(); x.open('GET', next); x.onload = () => { p.textContent = x.responseText }; x.send() })`);
    const routes = { '/a': later('{"next": "/b"}', 300), '/b': later('done', 400) };
    assert.equal(await textOfSite(page, routes), 'done');
  });

  test('are not aborted early by timeouts of their page', async () => {
    const page = script(`const c = new AbortController(); setTimeout(() => c.abort(), 3000);
      fetch('/slow', { signal: c.signal }).then((r) => r.text(), () => 'gave up').then((t) => { p.textContent = t })`);
    assert.equal(await textOfSite(page, { '/slow': later('done', 600) }), 'done');
  });

  test('of a frame from another site are awaited', async () => {
    await using web = await serveWeb({
      '/frame': script(
        `setTimeout(() => fetch('/data').then((r) => r.text()).then((t) => { p.textContent = t }), 700)`,
      ),
      '/data': later('done', 200),
    });
    const frame = `http://localhost:${web.port}/frame`;
    assert.equal(await textOf({ text: `<script>1</script><iframe src="${frame}"></iframe>` }), 'done');
  });

  test('of scripts that load further scripts are awaited', async () => {
    const add = (src: string) =>
      `document.head.append(Object.assign(document.createElement('script'), { src: '${src}' }))`;
    const routes = { '/one.js': later(add('/two.js'), 200), '/two.js': later(done, 200) };
    assert.equal(await textOfSite(script(`setTimeout(() => ${add('/one.js')}, 500)`), routes), 'done');
  });

  const polls: Readonly<Record<string, string>> = {
    'polls repeatedly': script(
      `setInterval(() => fetch('/now').then((r) => r.text()).then((t) => { p.textContent = 'done' }), 200)`,
    ),
    'sends its next request after each response': script(
      `const ask = () => fetch('/now').then((r) => r.text()).then(() => { ${done}; setTimeout(ask, 100) }); ask()`,
    ),
    'keeps a request open (long polling)': script(`${done}; fetch('/poll')`),
    'listens to an event stream': script(`${done}; new EventSource('/stream')`),
  };
  for (const [what, page] of Object.entries(polls))
    test(`of a page that ${what} are not awaited until the settle limit`, async () => {
      await using web = await serveWeb({
        '/': page,
        '/now': later('now', 5),
        '/poll': () => {},
        '/stream': (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
        },
      });
      const answer = await send(service, { url: web.url, debug_log: true });
      assert.equal(pdfText(answer.body), 'done');
      const { events } = await readDebugLog(answer);
      assert.ok(!events.some(({ kind, detail }) => kind === 'note' && detail.code === 'not-quiet'));
    });
});

describe('content that appears on scrolling', () => {
  const screens = (item: (n: number) => string) => Array.from({ length: 6 }, (_, n) => item(n)).join('');

  test('is loaded by an IntersectionObserver, and sections of 100vh keep their height', async () => {
    const text = `<style>section { height: 100vh }</style>${screens((n) => `<section id="s${n}"></section>`)}
      <script>const o = new IntersectionObserver((entries) => { for (const { isIntersecting, target } of entries)
        target.textContent = isIntersecting ? target.id + '-' + Math.round(target.offsetHeight / innerHeight) : 'gone' });
        document.querySelectorAll('section').forEach((s) => o.observe(s))</script>`;
    assert.equal(await textOf({ text }), screens((n) => `s${n}-1 `).trim());
  });

  test('because of a scroll listener remains visible, while a header that changes on scrolling is as at the top', async () => {
    const text = `<header id="h" style="position: sticky; top: 0">top</header>
      ${screens((n) => `<div style="height: 100vh"><b class="hidden">b${n}</b></div>`)}<style>.hidden { display: none }</style>
      <script>addEventListener('scroll', () => { h.textContent = scrollY > 0 ? 'down' : 'top';
        for (const b of document.querySelectorAll('b')) b.className = b.parentElement.offsetTop < scrollY + innerHeight ? '' : 'hidden' })</script>`;
    const shown = await textOf({ text });
    assert.match(shown, /b0.*b1.*b2.*b3.*b4.*b5/s);
    assert.ok(shown.includes('top') && !shown.includes('down'));
  });

  test('is shown as at the top if the settle limit is reached while the page is scrolled', async () => {
    const page = `<header id="h" style="position: sticky; top: 0">top</header>${screens(() => '<p style="height: 100vh">')}
      <script>let request; addEventListener('scroll', () => { request ??= fetch('/never').catch(() => {});
        h.textContent = scrollY > 0 ? 'down' : 'top' })</script>`;
    await using web = await serveWeb({ '/': page, '/never': () => {} });
    const answer = await send(service, { url: web.url, settle_limit: 1500, debug_log: true });
    assert.ok(web.requestedPaths.includes('/never'), 'the page was scrolled');
    assert.equal(pdfText(answer.body), 'top');
    assert.deepEqual(await optionsOfNotQuiet(answer), [
      ['settle_limit', 'wait_for_element', 'javascript_delay'],
    ]);
  });

  test('is reported as possibly missing if the time for scrolling is used up', async () => {
    const slow = `addEventListener('scroll', () => { for (const end = performance.now() + 60; performance.now() < end;); })`;
    const text = `${screens(() => '<p style="height: 1000vh">')}<script>${slow}</script>`;
    const cut = await send(service, { text, settle_limit: 1000, debug_log: true });
    assert.deepEqual(await optionsOfNotQuiet(cut), [['settle_limit']]);
    const whole = await send(service, { text: text.replaceAll('1000vh', '100vh'), debug_log: true });
    assert.deepEqual(await optionsOfNotQuiet(whole), []);
  });

  const revealed: Readonly<Record<string, string>> = {
    entry: 'animation: show linear both; animation-timeline: view(); animation-range: entry 0% cover 40%',
    'entry and exit':
      'animation: show linear both, hide linear both; animation-timeline: view(); animation-range: entry, exit',
    'keyframes of ranges': 'animation: pass linear both; animation-timeline: view()',
    'the whole way': 'animation: show linear both; animation-timeline: view()',
    'there and back': 'animation: show linear 2 alternate both; animation-timeline: view()',
    'a named timeline': 'view-timeline: --own; animation: show linear both; animation-timeline: --own',
  };
  const reveals = `<style>@keyframes show { from { opacity: 0 } } @keyframes hide { to { opacity: 0 } }
    @keyframes pass { entry 0%, exit 100% { opacity: 0 } entry 100%, exit 0% { opacity: 1 } } section { height: 70vh }</style>
    ${Object.entries(revealed)
      .map(([name, css]) => `<section><p style="margin: 0; background: #00f; ${css}">${name}</p></section>`)
      .join('')}<section>`;
  const driven = `<section id="s"></section><script>s.textContent = 'a script'; s.animate({ opacity: [0, 1] },
    { fill: 'both', timeline: new ViewTimeline({ subject: s }), rangeStart: 'entry 0%', rangeEnd: 'entry 100%' })</script><section>`;
  const ways: readonly (readonly [name: string, text: string, options: Fields])[] = [
    ['in a document without scripts', reveals, {}],
    ['in a page with scripts', reveals + driven, {}],
    ['with wait_until=loaded', reveals + driven, { wait_until: 'loaded' }],
    ['with disable_javascript', reveals + driven, { disable_javascript: true }],
  ];
  for (const [name, text, options] of ways)
    test(`and is revealed by CSS is printed ${name}`, async () => {
      const pdf = await convert(service, { text, ...options });
      const names = Object.keys(revealed);
      if (text.includes('script') && options.disable_javascript !== true) names.push('a script');
      assert.equal(pdfText(pdf), names.join(' '));
    });

  test('and is revealed by CSS is opaque in an image', async () => {
    const image = await readImage(await convert(service, { text: reveals, output_format: 'png' }));
    const names = Object.keys(revealed);
    const margin = 8;
    // The last section is empty.
    const height = (image.height - 2 * margin) / (names.length + 1);
    for (const [index, name] of names.entries())
      assert.deepEqual(image.at(500, Math.round(margin + index * height + 9)), [0, 0, 255], name);
  });

  test('inside other such content is loaded too', async () => {
    const text = `${screens(() => '<p style="height: 100vh">')}<div id="a"></div><script>
      const lazy = (element, show) => new IntersectionObserver(([{ isIntersecting, target }], observer) => {
        if (isIntersecting) { observer.disconnect(); show(target) } }).observe(element);
      const inner = (target, names) => { target.innerHTML = names[0] + '<div style="margin-top: 300vh"></div>';
        if (names.length > 1) lazy(target.lastChild, (next) => inner(next, names.slice(1))) };
      lazy(a, (target) => inner(target, ['outer', 'inner', 'innermost']))</script>`;
    assert.equal(await textOf({ text }), 'outer inner innermost');
  });

  test('and loads more at its end is loaded only once', async () => {
    const text = `<div id="list"></div><i id="end"></i><script>let n = 0; const more = () => { for (let i = 0; i < 10; i++)
        list.insertAdjacentHTML('beforeend', '<p style="height: 300px">item' + n++ + '</p>') }; more();
      new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) more() }).observe(end)</script>`;
    const shown = await textOf({ text });
    assert.ok(shown.includes('item19') && !shown.includes('item20'));
  });
});

describe('time', () => {
  test('that scripts read during the conversion is correct', async () => {
    const before = Date.now();
    const text = script(
      `setTimeout(() => { p.textContent = [Date.now(), +new Date(), new Date('2020-02-03').getFullYear(), typeof Date(), new Date(0) instanceof Date].join(' ') }, 1000)`,
    );
    const [now, date, ...rest] = (await textOf({ text })).split(' ');
    const passed = Date.now() - before;
    for (const time of [now, date])
      assert.ok(Number(time) >= before + 1000 && Number(time) < before + 1100 + passed);
    assert.deepEqual(rest, ['2020', 'string', 'true']);
  });

  test('is not accelerated if the request selects another way to wait', async () => {
    const text = script(`setTimeout(() => { p.textContent = 'late' }, 3000)`);
    assert.equal(await textOf({ text, wait_until: 'loaded' }), 'early');
    assert.equal(await textOf({ text, javascript_delay: 50 }), 'early');
    assert.equal(await textOf({ text, settle_limit: 1000 }), 'early');
    assert.equal(await textOf({ text }), 'late');
  });

  test('also advances after custom_javascript and after wait_for_element', async () => {
    const custom_javascript = `setTimeout(() => { ${done} }, 1500)`;
    assert.equal(await textOf({ text: '<p id="p">early</p>', custom_javascript }), 'done');
    const text = script(
      `setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<b>'); setTimeout(() => { ${done} }, 900) }, 1500)`,
    );
    assert.equal(await textOf({ text, settle_limit: 1000, wait_for_element: 'b' }), 'done');
  });
});

test('an animation runs to its end although other programs interrupt most of its frames', async () => {
  // A frame that is interrupted takes longer than the time for all frames allows; one in eight is not interrupted.
  const drawing = `
    let frames = 0;
    const work = () => { const t = performance.now(); while (performance.now() - t < 15); };
    const draw = () => {
      frames += 1;
      document.body.textContent = frames === 80 ? 'finished' : 'frame ' + frames;
      if (frames % 8 !== 0) work();
      if (frames < 80) requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);`;
  assert.equal(await textOf({ text: `<body><script>${drawing}</script>` }), 'finished');
});

test('an animation longer than the settle limit is converted in its state at the limit', async () => {
  const css = '@keyframes move { to { margin-left: 1000px } } p { width: 9em; animation: move 10s linear }';
  const text = `<style>${css}</style><p>moved<script>1</script>`;
  const at = async (fields: Fields) => {
    const [word] = pdfWords(await convert(service, { text, ...fields }));
    return word?.left ?? 0;
  };
  const settled = await at({ settle_limit: 3000 });
  const waited = await at({ javascript_delay: 3000 });
  assert.ok(settled > 100 && Math.abs(settled - waited) < 30, `${settled} and ${waited}`);
});

test('a static page whose body fades in is not blank', async () => {
  const css = '@keyframes in { from { opacity: 0; visibility: hidden } } body { animation: in 3s both }';
  assert.equal(await textOf({ text: `<style>${css}</style><p>there</p>` }), 'there');
});

describe('scrolling by scripts is instant and ends at the same position', () => {
  const calls: Readonly<Record<string, string>> = {
    'b.scrollTo({ left: 400, top: 60, behavior: "smooth" })': '400 60',
    'b.scroll(400, 60)': '400 60',
    'b.scrollLeft = 300; b.scrollBy({ left: 100, behavior: "smooth" })': '400 0',
    'b.scrollLeft = "400"; b.scrollTop = 60; b.scrollTo({ top: 90 })': '400 90',
    'b.scrollTo(400, 60); b.scrollTo(0)': 'TypeError 400 60',
    'b.scrollTo(400, 60); b.scrollTo()': '400 60',
    'i.scrollIntoView()': '910 120',
    'i.scrollIntoView(false)': '910 40',
    'i.scrollIntoView({ block: "nearest", inline: "start", behavior: "smooth" })': '1000 40',
    'i.scrollIntoView(true)': '910 120',
  };
  for (const [code, position] of Object.entries(calls))
    test(code, async () => {
      const text = `<style>#b { overflow: hidden; width: 100px; height: 100px; scroll-behavior: smooth; font-size: 0 }</style>
        <div id="b"><div style="width: 3000px; height: 3000px; padding: 120px 0 0 1000px; box-sizing: border-box">
        <span id="i" style="display: inline-block; width: 10px; height: 20px"></span></div></div><p id="p"></p>
        <script>let failed = ''; try { ${code} } catch ({ name }) { failed = name + ' ' }
        p.textContent = failed + b.scrollLeft + ' ' + b.scrollTop</script>`;
      assert.equal(await textOf({ text }), position);
    });
});

test('a canvas that shows bitmaps is printed', async () => {
  const text = `<body style="margin: 0"><canvas id="c" width="300" height="300"></canvas><script>const o = new OffscreenCanvas(300, 300);
    const x = o.getContext('2d'); x.fillStyle = 'red'; x.fillRect(0, 0, 300, 300);
    const shown = c.getContext('bitmaprenderer'); shown.transferFromImageBitmap(o.transferToImageBitmap());
    if (!(shown instanceof ImageBitmapRenderingContext) || shown !== c.getContext('bitmaprenderer')) c.remove()</script>`;
  const image = await readImage(pdfImage(await convert(service, { text, no_margins: true })));
  assert.ok(isNear(image.at(50, 50), [255, 0, 0]));
});
