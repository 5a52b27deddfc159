/** Hostile pages, URLs and request bodies. */
import { htmlFile } from '../../support/service/convert.ts';
import { zip } from '../../support/archives/zip-writer.ts';
import type { JobRequest, Expected, MakeJob } from '../job.ts';

/** The conversion may succeed with one page, or fail because of the job timeout or the memory limit. */
const survivedOrEnded: readonly Expected[] = [
  { kind: 'pdf', pages: 1 },
  { kind: 'failure', codes: ['400.323', '400.306'] },
];

const refused = (...codes: string[]): readonly Expected[] => [{ kind: 'failure', codes }];

function page(body: string): JobRequest {
  return { fields: { text: `<body>${body}` }, expected: survivedOrEnded };
}

export const hostile: Readonly<Record<string, MakeJob>> = {
  'endless script': ({ word }) => ({
    fields: { text: `<p>${word}</p><script>for (;;);</script>` },
    expected: refused('400.323'),
  }),
  'refused address': ({ canary }) => ({ fields: { url: `${canary}/` }, expected: refused('400.322') }),
  'refused addresses in a page': ({ word, canary }) =>
    page(
      `<p>${word}</p><img src="${canary}/x.png"><iframe src="${canary}/"></iframe><img src="http://169.254.169.254/">` +
        `<script>fetch('${canary}/'); new WebSocket('${canary.replace('http', 'ws')}/'); new EventSource('${canary}/')</script>`,
    ),
  'zip bomb within the limits': ({ word }) => ({
    fields: {
      file: htmlFile(
        new Uint8Array(
          zip([
            { name: 'index.html', contents: word },
            { name: 'zero', contents: Buffer.alloc(40e6) },
          ]),
        ),
        'bomb.zip',
      ),
    },
    expected: [{ kind: 'pdf', pages: 1 }],
  }),
  'zip bomb beyond them': ({ word }) => ({
    fields: {
      file: htmlFile(
        new Uint8Array(
          zip([
            { name: 'index.html', contents: word },
            { name: 'zero', contents: Buffer.alloc(60e6) },
          ]),
        ),
        'bomb.zip',
      ),
    },
    expected: refused('400.312'),
  }),
  'malformed multipart': ({ word }) => ({
    fields: {},
    raw: {
      type: 'multipart/form-data; boundary=b',
      body: Buffer.from(`--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${word}`),
    },
    expected: refused('400.302', '400.400', '400.301'),
  }),
  'huge document': ({ word }) =>
    page(
      `<script>document.write('${word}<div style="height:1px;overflow:hidden">' + '<i><b>'.repeat(60000) + '</div>')</script>`,
    ),
  'alert loop': ({ word }) =>
    page(`${word}<script>for (let n = 0; n < 1e4; n += 1) { alert(n); confirm(n); prompt(n) }</script>`),
  'print and open loop': ({ word }) =>
    page(
      `${word}<script>setInterval(() => { print(); open('about:blank'); open('mailto:a@b') }, 1)</script>`,
    ),
  'redirect loop': ({ web }) => ({ fields: { url: `${web}/loop` }, expected: refused('400.321') }),
  'page that reloads itself': ({ word, web }) => ({
    fields: { url: `${web}/reload/${word}` },
    expected: survivedOrEnded,
  }),
  'fetch flood': ({ word, web }) =>
    page(
      `${word}<script>for (let n = 0; n < 1500; n += 1) fetch('${web}/flood?' + n, { mode: 'no-cors' }).catch(() => {})</script>`,
    ),
  'WebSocket flood': ({ word, web }) =>
    page(
      `${word}<script>for (let n = 0; n < 300; n += 1) try { new WebSocket('${web.replace('http', 'ws')}/socket?' + n) } catch {}</script>`,
    ),
  'frames in themselves': ({ word, web }) => ({
    fields: { url: `${web}/frames/${word}?0` },
    expected: survivedOrEnded,
  }),
  'memory eater': ({ word }) =>
    page(
      `${word}<script>const held = []; for (let n = 0; n < 300; n += 1) held.push(new Uint8Array(1e6).fill(n))</script>`,
    ),
  'timer storm': ({ word }) =>
    page(
      `${word}<script>for (let n = 0; n < 500; n += 1) setInterval(() => document.title += n, 1);
      history.pushState('${word}', ''); navigator.serviceWorker?.register('sw.js').catch(() => {})</script>`,
    ),
};
