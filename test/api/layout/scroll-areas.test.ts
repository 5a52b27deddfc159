/** Scroll areas: the debug log reports their hidden content, expand_scroll_areas shows it, and they have no scroll bars. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { convert, send, type Fields } from '../../support/service/convert.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { pdfFacts, pdfImage, pdfText, pdfWords } from '../../support/output/pdf.ts';
import { extent, readImage } from '../../support/output/image.ts';
import { processesOf } from '../../support/service/processes.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';

/** Returns paragraphs with the texts `row1`, `row2` and so on. */
const rows = (count: number, name = 'row') =>
  Array.from({ length: count }, (_, index) => `<p>${name}${index + 1}</p>`).join('');
const page = (style: string, body: string) => `<!doctype html><style>${style}</style>${body}`;
const inApp = (style: string, body: string) =>
  page(`html, body { height: 100%; margin: 0; overflow: hidden } ${style}`, body);

/** Returns a virtual list, which draws only its visible rows. */
const virtualList = (measure: string) => `<div id="list" style="height:200px;overflow:auto">
  <div id="sizer" style="position:relative;height:9000px"></div></div><p>after</p><script>
  const draw = () => {
    const from = Math.floor(list.scrollTop / 30), to = Math.min(300, Math.ceil((list.scrollTop + ${measure}) / 30));
    sizer.innerHTML = '';
    for (let row = from; row < to; row += 1) {
      const line = document.createElement('div');
      line.style.cssText = 'position:absolute;top:' + row * 30 + 'px';
      line.textContent = 'item' + (row + 1);
      sizer.append(line);
    }
  };
  new ResizeObserver(() => setTimeout(draw, 60)).observe(list);
  list.onscroll = draw;
  draw();
</script>`;

/** Returns a list with the rows from `from` on that fit into 200 px; `draw` puts a row at its place. */
const scrollingList = (content: string, script: string) => `<div id="list" style="height:200px;overflow:auto">
  ${content}</div><p>after</p><script>
  const rowsFrom = () => Array.from({ length: 12 }, (_, index) => Math.floor(list.scrollTop / 30) + index).filter((row) => row < 300);
  ${script}
  list.onscroll = draw;
  draw();
</script>`;

const recyclingList = scrollingList(
  '<div id="sizer" style="height:9000px;position:relative;overflow:hidden"></div>',
  `const pool = Array.from({ length: 12 }, () => {
    const line = document.createElement('div');
    line.style.cssText = 'position:absolute;top:0;height:30px';
    sizer.append(line);
    return line;
  });
  const draw = () => {
    for (const line of pool) line.style.transform = 'translateY(-9999px)';
    for (const row of rowsFrom()) {
      pool[row % 12].textContent = 'item' + (row + 1);
      pool[row % 12].style.transform = 'translateY(' + row * 30 + 'px)';
    }
  };`,
);

const virtualTable = scrollingList(
  '<table style="border-spacing:0"><thead><tr><th>Name</th></tr></thead><tbody id="body"></tbody></table>',
  `const draw = () => {
    const shown = rowsFrom();
    const gap = (height) => '<tr style="height:' + height + 'px"></tr>';
    body.innerHTML = gap(shown[0] * 30) + shown.map((row) => '<tr style="height:30px"><td>item' + (row + 1) + '</td></tr>').join('') +
      gap((299 - shown.at(-1)) * 30);
  };`,
);

describe('Scroll areas', () => {
  let service: Service;
  before(async () => {
    service = await defaultService();
  });

  const texts = async (text: string, more: Fields = {}) => {
    const unexpanded = pdfText(await convert(service, { text, ...more }));
    const expanded = pdfText(await convert(service, { text, ...more, expand_scroll_areas: true }));
    return { unexpanded, expanded };
  };
  const hidden = async (fields: Fields) => {
    const { findings } = await readDebugLog(await send(service, { ...fields, debug_log: true }));
    return findings.filter(({ code }) => code === 'content-hidden');
  };

  for (const [what, text] of [
    ['a box', page('div { height: 200px; overflow: auto }', `<div>${rows(40)}</div><p>after</p>`)],
    [
      'a list with a max-height',
      page('ul { max-height: 9em; overflow-y: scroll }', `<ul>${rows(40)}</ul><p>after`),
    ],
    [
      'a box in a box',
      page(
        '.outer { height: 200px; overflow: auto } .inner { height: 90px; overflow: auto }',
        `<div class="outer">${rows(9, 'outer')}<div class="inner">${rows(40)}</div></div><p>after</p>`,
      ),
    ],
    [
      'an application with bars around its content',
      inApp(
        'body { display: grid; grid-template-rows: 40px minmax(0, 1fr) 40px; height: 100vh } main { overflow: auto }',
        `<header>head</header><main>${rows(90, 'x')}${rows(40)}</main><footer>after</footer>`,
      ),
    ],
    [
      'an application of flexible boxes',
      inApp(
        `#app { display: flex; flex-direction: column; height: 100vh } .middle { display: flex; flex: 1; min-height: 0 }
         nav { width: 200px; overflow: auto } main { flex: 1 1 0px; overflow-y: auto }`,
        `<div id="app"><div class="middle"><nav>menu</nav><main>${rows(90, 'x')}${rows(40)}</main></div><footer>after</footer></div>`,
      ),
    ],
    [
      'an application that is fixed to the viewport',
      inApp(
        `#app { position: fixed; inset: 0; display: flex; flex-direction: column } .middle { flex: 1; position: relative }
         .pane { position: absolute; inset: 0; overflow: auto }`,
        `<div id="app"><div class="middle"><div class="pane">${rows(90, 'x')}${rows(40)}</div></div><footer>after</footer></div>`,
      ),
    ],
    [
      'a component with a shadow tree',
      page(
        '',
        `<section><template shadowrootmode="open"><div style="height:200px;overflow:auto"><slot></slot></div></template>${rows(40)}</section><p>after</p>`,
      ),
    ],
    [
      'a frame of the same origin',
      page('iframe { height: 200px; border: 0 }', `<iframe srcdoc="${rows(40)}"></iframe><p>after</p>`),
    ],
  ] as const)
    test(`show all of ${what}, and the content after it, with expand_scroll_areas`, async () => {
      const { unexpanded, expanded } = await texts(text);
      assert.doesNotMatch(unexpanded, /\brow40\b/);
      assert.match(expanded, /\brow1\b.*\brow39 row40 after$/);
      const places = pdfWords(await convert(service, { text, expand_scroll_areas: true, page_height: -1 }));
      const top = (word: string) => places.find((place) => place.text === word)?.top ?? -1;
      // The last rows and the text after them do not overlap.
      const last = top('after') === top('row40') ? top('row39') : top('row40');
      assert.ok(top('row39') < top('row40') && last < top('after'), JSON.stringify(places.slice(-4)));
    });

  test('show all lines of a textarea and all options of a list box', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line${index + 1}`).join('\n');
    const choices = Array.from({ length: 20 }, (_, index) => `<option>choice${index + 1}`).join('');
    const text = `<textarea rows="3">${lines}</textarea><select size="4">${choices}</select>`;
    const { unexpanded, expanded } = await texts(text);
    assert.doesNotMatch(unexpanded, /line30|choice20/);
    assert.match(expanded, /line30/);
    assert.match(expanded, /choice20/);
  });

  for (const [what, fields] of [
    ['by default', {}],
    ['with a layout width', { content_viewport_width: '900px' }],
    ['with smart-scaling', { content_fit_mode: 'smart-scaling' }],
  ] as const)
    test(`show all columns of a wide table, which is fitted onto the paper, ${what}`, async () => {
      const cells = Array.from({ length: 40 }, (_, index) => `<th>column${index + 1}</th>`).join('');
      const style = '.table-responsive { overflow-x: auto } .card { overflow: hidden }';
      const table = `<table><tr>${cells}</tr></table>`;
      const text = page(style, `<div class="card"><div class="table-responsive">${table}</div></div>`);
      const { unexpanded, expanded } = await texts(text, fields);
      assert.doesNotMatch(unexpanded, /column40/);
      assert.match(expanded, /column1 .*column40/);
      const pdf = await convert(service, { text, ...fields, expand_scroll_areas: true });
      assert.ok(pdfWords(pdf).every(({ right }) => right < 595));
    });

  test('are cut at the edge of the paper if the caller asks for the layout width', async () => {
    const text = '<div style="overflow:auto"><p style="width:3000px;text-align:right">far</p></div>near';
    const fields = { content_fit_mode: 'viewport-width', expand_scroll_areas: true };
    const pdf = await convert(service, { text, ...fields });
    assert.doesNotMatch(pdfText(pdf), /far/);
  });

  test('wrap long lines of code instead of shrinking the whole page', async () => {
    const text = `<pre style="overflow:auto">${'word '.repeat(400)}end</pre><p>after</p>`;
    const pdf = await convert(service, { text, expand_scroll_areas: true });
    assert.match(pdfText(pdf), /word end after$/);
    const { top, bottom } = pdfWords(pdf).at(-1) ?? { top: 0, bottom: 0 };
    assert.ok(bottom - top > 8);
  });

  test('are enlarged so that a list that draws only its visible rows draws all rows', async () => {
    const { unexpanded, expanded } = await texts(virtualList('list.clientHeight'));
    assert.doesNotMatch(unexpanded, /item20\b/);
    for (const row of [1, 20, 150, 299, 300]) assert.match(expanded, new RegExp(`\\bitem${row}\\b`));
    assert.match(expanded, /after$/);
  });

  const noStop = process.platform === 'win32' && 'Windows has no signal that stops a process';
  const frozen =
    'are enlarged so that a list that draws only its visible rows draws all rows, even while the browser draws no frames';
  test(frozen, { skip: noStop }, async () => {
    await using web = await serveWeb({
      '/drawn': (_request, response) => {
        const processes = processesOf(service, 'gpu-process');
        for (const pid of processes) process.kill(pid, 'SIGSTOP');
        response.setHeader('access-control-allow-origin', '*').end();
        setTimeout(() => {
          for (const pid of processes) process.kill(pid, 'SIGCONT');
        }, 700);
      },
    });
    const text = `${virtualList('list.clientHeight')}<script>
      // Runs in the first frame of the page, before the list is expanded.
      const observer = new ResizeObserver(() => {
        observer.disconnect();
        const request = new XMLHttpRequest();
        request.open('GET', '${web.url}/drawn', false);
        request.send();
      });
      observer.observe(document.body);
    </script>`;
    const words = pdfText(await convert(service, { text, expand_scroll_areas: true }));
    assert.deepEqual(web.requestedPaths, ['/drawn']);
    for (const row of [1, 20, 150, 300]) assert.match(words, new RegExp(`\\bitem${row}\\b`));
  });

  test('are also expanded in images', async () => {
    const text = page('body { margin: 0 } div { height: 200px; overflow: auto }', `<div>${rows(40)}</div>`);
    const { height } = await readImage(
      await convert(service, { text, output_format: 'png', expand_scroll_areas: true }),
    );
    assert.ok(height > 1000, String(height));
  });

  test('are not expanded without the option', async () => {
    const text = page('div { height: 200px; overflow: auto }', `<div>${rows(200)}</div>`);
    assert.equal(pdfFacts(await convert(service, { text })).pages, 1);
  });

  test('are reported with the amount of hidden content, and the option that shows it', async () => {
    const box = '#log { height: 300px; overflow: auto } #log div { height: 1200px }';
    const text = page(box, '<div id="log"><div>long</div></div>');
    const [found, ...more] = await hidden({ text });
    assert.match(found?.sentence ?? '', /^div#log .* 300 of the 1200 px of its height; about 75 % /);
    assert.deepEqual([found?.severity, found?.options], ['warning', ['expand_scroll_areas']]);
    assert.deepEqual(more, []);
    assert.equal((await hidden({ text, output_format: 'png' })).length, 1);
    assert.deepEqual(await hidden({ text, expand_scroll_areas: true }), []);
    const frame = await hidden({ text: '<iframe height="100" srcdoc="<div style=height:900px>x</div>">' });
    assert.match(frame[0]?.sentence ?? '', /^iframe /);
  });

  test('are not reported if content is hidden on purpose', async () => {
    const text = page(
      `.read { position: absolute; width: 1px; height: 1px; overflow: auto }
       .menu { height: 50px; overflow: auto; visibility: hidden } .faded { height: 50px; overflow: auto; opacity: 0 }
       .closed { display: none; height: 50px; overflow: auto } .carousel { height: 50px; overflow: hidden }
       .bar { height: 50px; width: 20px; overflow: auto } .bar div { height: 900px } .fits { overflow: auto }
       body { overflow: auto; height: 4000px }`,
      `<div class="read">${rows(9)}</div><div class="menu">${rows(9)}</div><div class="faded">${rows(9)}</div>
       <div class="closed">${rows(9)}</div><div class="carousel">${rows(9)}</div><div class="bar"><div></div></div>
       <div class="fits">${rows(2)}</div>`,
    );
    assert.deepEqual(await hidden({ text }), []);
  });

  for (const [what, text] of [
    ['has rows of a fixed height', virtualList('200')],
    ['moves the same elements for all of its rows', recyclingList],
    ['is a table with rows in the place of those that are not drawn', virtualTable],
    [
      'has a height that its framework sets again and again',
      `${virtualList('list.clientHeight')}<script>
        new ResizeObserver(() => setTimeout(() => list.setAttribute('style', 'height:200px;overflow:auto'))).observe(list)
      </script>`,
    ],
  ] as const)
    test(`are scrolled to draw all rows of a list that ${what}`, async () => {
      const pdf = await convert(service, { text, expand_scroll_areas: true });
      const words = pdfText(pdf).split(/\s+/);
      const items = Array.from({ length: 300 }, (_, row) => `item${row + 1}`);
      assert.deepEqual(
        words.filter((word) => /^(item\d+|after)$/.test(word)),
        [...items, 'after'],
      );
      assert.deepEqual(await hidden({ text, expand_scroll_areas: true }), []);
    });

  test('are reported with the missing share if a list or grid never draws all of its rows', async () => {
    const text = virtualList('200').replace('list.onscroll = draw', '');
    const [list] = await hidden({ text, expand_scroll_areas: true });
    assert.match(list?.sentence ?? '', /^div#list has drawn \d{3} of the 9000 px .* 9\d %/);
    const grid = `<div role="grid" aria-rowcount="5000" id="grid" style="height:100px;overflow:auto">
      ${Array.from({ length: 30 }, (_, row) => `<p aria-rowindex="${row + 1}">${row}</p>`).join('')}</div>`;
    const [found] = await hidden({ text: grid, expand_scroll_areas: true });
    assert.match(found?.sentence ?? '', /^div#grid has 5000 rows and draws 30 of them.* 99 %/);
  });

  test('have no scroll bars in PDF or image output, whatever styles the page gives them', async () => {
    const styles = `::-webkit-scrollbar { width: 20px; height: 20px; background: rgb(255,0,0) }
      ::-webkit-scrollbar-thumb, ::-webkit-scrollbar-track { background: rgb(255,0,0) }
      div { width: 200px; height: 100px; overflow: scroll }
      .two { scrollbar-color: rgb(255,0,0) rgb(255,0,0); scrollbar-gutter: stable }`;
    const inner = page(styles, `<div>${rows(9)}</div>${rows(20)}`);
    await using web = await serveWeb({ '/': inner });
    const frame = `<iframe src="http://localhost:${web.port}/" style="border:0;height:200px"></iframe>`;
    const boxes = `<div>${rows(9)}</div><div class="two">${rows(9)}</div>`;
    for (const text of [page(styles, boxes), page(styles, `${boxes}${frame}<script>0</script>`)]) {
      const pdf = await readImage(pdfImage(await convert(service, { text }), 2));
      assert.equal(extent(pdf, [255, 0, 0]), undefined, `pdf of ${text}`);
      const image = await readImage(await convert(service, { text, output_format: 'png' }));
      assert.equal(extent(image, [255, 0, 0]), undefined, `png of ${text}`);
    }
  });
});
