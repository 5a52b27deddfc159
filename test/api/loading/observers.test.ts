/** Content that pages show only when an IntersectionObserver reports it as visible, with default options. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { defaultService } from '../../support/service/default-service.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { convert, type Fields } from '../../support/service/convert.ts';
import type { Service } from '../../support/service/service.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

const count = 6;
const numbers = Array.from({ length: count }, (_, n) => n);
const every = (text: (n: number) => string) => numbers.map(text).join(' ');

/** Converts a page of sections that are higher than the window together, and returns its text. */
async function textOf(code: string, options: Fields = {}): Promise<string> {
  const sections = numbers.map((n) => `<section id="s${n}"><p>section${n}</p></section>`).join('');
  const text = `<style>section { height: 50vh } .off section { opacity: 0; transition: opacity 1s } .off section.on { opacity: 1 }</style>
    <body class="off"><nav id="nav"></nav><div id="area">${sections}</div><script>
    const sections = [...document.querySelectorAll('section')];
    const observe = (onEntry, options, targets = sections) => {
      const observer = new IntersectionObserver((entries) => { for (const entry of entries) onEntry(entry, observer) }, options);
      for (const target of targets) observer.observe(target) };
    const toggle = ({ isIntersecting, target }) => target.classList.toggle('on', isIntersecting);
    const once = ({ isIntersecting, target }, observer) => { if (isIntersecting) { target.className = 'on'; observer.unobserve(target) } };
    const complete = () => { document.body.className = '' };
    ${code}</script>`;
  return pdfText(await convert(service, { text, ...options }));
}

describe('all content is shown that an observer reveals', () => {
  const observers: Readonly<Record<string, string>> = {
    'near the top of the window': `observe(once, { rootMargin: '0px 0px -60% 0px' })`,
    'in the middle of the window': `observe(toggle, { rootMargin: '-50% 0px' })`,
    'on a line, with margins in pixels': `observe(once, { rootMargin: '-100px 0px -' + (innerHeight - 101) + 'px' })`,
    'when it is visible to a certain share': `observe(({ intersectionRatio, target }) => { if (intersectionRatio > 0.9) target.className = 'on' },
      { threshold: [0, 0.25, 0.5, 0.75, 1] })`,
    'although another observer has seen it': `observe(() => {}, { rootMargin: '5000px' }); observe(once, { rootMargin: '-45% 0px' })`,
    'and that is created late': `setTimeout(observe, 3000, once, { rootMargin: '-45% 0px' })`,
    'and that is created when something else is visible': `observe((entry) => { if (entry.isIntersecting) setTimeout(observe, 300, once, {}) }, {}, [sections.at(-1)])`,
    'one element after the other': `observe((entry, observer) => { once(entry, observer);
      const next = entry.target.nextElementSibling; if (entry.isIntersecting && next) observer.observe(next) }, { rootMargin: '-40% 0px' }, [s0])`,
    'by an animation': `observe(({ isIntersecting, target }) => { if (isIntersecting) target.animate({ opacity: [0, 1] }, { duration: 900, fill: 'forwards' });
      else for (const animation of target.getAnimations()) animation.cancel() }, { rootMargin: '-45% 0px' })`,
  };
  for (const [which, code] of Object.entries(observers))
    test(which, async () => {
      assert.equal(
        await textOf(code),
        every((n) => `section${n}`),
      );
    });

  test('inside a scroll area', async () => {
    const code = `area.style.cssText = 'height: 60vh; overflow: auto'; observe(once, { root: area, rootMargin: '-30% 0px' })`;
    assert.equal(
      await textOf(code, { expand_scroll_areas: true }),
      every((n) => `section${n}`),
    );
  });

  test('by counting up', async () => {
    const code = `complete(); observe(({ isIntersecting, target }, observer) => { if (!isIntersecting) return; observer.unobserve(target);
      let n = 0; const timer = setInterval(() => { target.firstChild.textContent = ++n; if (n === 40) clearInterval(timer) }, 30) },
      { rootMargin: '-40% 0px', threshold: 0.5 })`;
    assert.equal(
      await textOf(code),
      every(() => '40'),
    );
  });
});

describe('a page is shown as at its top:', () => {
  const content = every((n) => `section${n}`);
  const pages: Readonly<Record<string, readonly [code: string, text: string]>> = {
    'a table of contents marks one section': [
      `complete(); nav.textContent = 'none'; observe(({ isIntersecting, target }) => { if (isIntersecting) nav.textContent = 'in ' + target.id }, { rootMargin: '0px 0px -80%' })`,
      `in s0 ${content}`,
    ],
    'a table of contents that marks all visible sections': [
      `complete(); const marked = new Set(); observe(({ isIntersecting, target }) => { marked[isIntersecting ? 'add' : 'delete'](target.id);
       nav.textContent = [...marked].join() }, { rootMargin: '0px 0px -80%' })`,
      `s0 ${content}`,
    ],
    'a button for the way back is hidden': [
      `complete(); observe(({ isIntersecting }) => { nav.textContent = isIntersecting ? 'top' : '' }, {}, [sections.at(-1)])`,
      content,
    ],
    'a window that opens during reading is closed': [
      `complete(); const box = document.body.appendChild(document.createElement('div')); box.style.cssText = 'position: fixed; top: 0; display: none';
       box.textContent = 'subscribe'; observe(({ isIntersecting }) => { if (isIntersecting) box.style.display = 'block' }, {}, [sections[3]])`,
      content,
    ],
    'a dialog that opens during reading is closed': [
      `complete(); const box = document.body.appendChild(document.createElement('dialog')); box.textContent = 'subscribe';
       observe(({ isIntersecting }) => { if (isIntersecting && !box.open) box.showModal() }, {}, [sections[3]])`,
      content,
    ],
    'a menu remains hidden': [
      `for (const section of sections) section.insertAdjacentHTML('beforeend', '<i style="opacity: 0">menu</i>'); observe(once, { rootMargin: '-50% 0px' })`,
      content,
    ],
    'an endless list has loaded one more part': [
      `complete(); const end = area.appendChild(document.createElement('i')); let part = 0; observe(({ isIntersecting }) => {
       if (isIntersecting) end.insertAdjacentHTML('beforebegin', '<p style="height: 200vh">part' + ++part) }, {}, [end])`,
      `${content} part1`,
    ],
  };
  for (const [what, [code, expected]] of Object.entries(pages))
    test(what, async () => {
      assert.equal(await textOf(code), expected);
    });
});
