/** The largest inputs that a caller may send, and the first ones that are too large, by kind. */
import { zip } from '../../support/archives/zip-writer.ts';
import { smallRequests } from '../../support/hostile/small-requests.ts';
import { remove, submit } from '../../support/service/asynchronous-job.ts';
import { demo, send, type Fields } from '../../support/service/convert.ts';
import { get } from '../../support/service/job-record.ts';
import type { Service } from '../../support/service/service.ts';

export interface LargeInput {
  readonly what: string;
  /** Sends the input, and resolves with the status of the conversion. */
  readonly run: (service: Pick<Service, 'url'>) => Promise<number>;
  readonly status: number;
  /**
   * The limit in milliseconds where Chromium itself does the work on its main thread (docs/decisions/0063-main-thread-steps.md);
   * absent for the limit of all other inputs.
   */
  readonly chromiumMs?: number;
}

const megabytes = (count: number, text: string) => text.repeat((count * 1e6) / text.length);
const list = <T>(count: number, item: (index: number) => T) =>
  Array.from({ length: count }, (_, n) => item(n));

type ExpectedResponse = Partial<Pick<LargeInput, 'status' | 'chromiumMs'>>;

function form(what: string, fields: () => Fields, expected: ExpectedResponse = {}): LargeInput {
  return {
    what,
    status: 200,
    ...expected,
    run: async (service) => (await send(service, fields())).status,
  };
}

/** A conversion with a debug log, which is then read in each format. */
function logged(what: string, fields: () => Fields, expected: ExpectedResponse = {}): LargeInput {
  const run = async (service: Pick<Service, 'url'>) => {
    const { headers, status } = await send(service, { ...fields(), debug_log: true });
    const { pathname } = new URL(headers.get('x-service-debug-log') ?? '');
    for (const format of ['html', 'json', 'har', 'recipe.json'])
      await (await fetch(`${service.url}${pathname}.${format}`)).arrayBuffer();
    return status;
  };
  return { what, status: 200, ...expected, run };
}

function urlencoded(what: string, body: () => string, status: number): LargeInput {
  const run = async (service: Pick<Service, 'url'>) => {
    const headers = { authorization: demo, 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(`${service.url}/convert/24.04/`, { method: 'POST', headers, body: body() });
    await response.arrayBuffer();
    return response.status;
  };
  return { what, status, run };
}

function read(path: string): LargeInput {
  const run = async (service: Pick<Service, 'url'>) => {
    const response = await get(service, path, demo);
    await response.arrayBuffer();
    return response.status;
  };
  return { what: `GET ${path}`, status: 200, run };
}

const page = (source: string): Fields => ({
  text: `<p>page<script>${source}</script>`,
  javascript_delay: 500,
});
const paragraphs = (count: number) => list(count, (n) => `<p style="break-after:page">${n}</p>`).join('');
const setups = (count: number, pages: (index: number) => string) =>
  JSON.stringify({ pageSetup: list(count, (n) => ({ pages: pages(n) })) });
const files = (count: number, bytes: number) =>
  list(count, (n) => new File([new Uint8Array(bytes).fill(n)], `${n}.bin`));

/** Returns the bytes of a template whose comment consists of invalid bytes, which take the longest to decode. */
function gb18030Template(length: number): Buffer {
  const comment = Buffer.alloc(length, Buffer.from([0x80]));
  return Buffer.concat([Buffer.from('<meta charset=gb18030><p>{{a}}<!--'), comment, Buffer.from('-->')]);
}

/** An archive whose other entries have names that end with `ending`. */
function archive(count: number, ending: string): File {
  const others = list(count - 1, (n) => ({ name: `${n}${ending}.html`, contents: 'x' }));
  return new File([new Uint8Array(zip([{ name: 'index.html', contents: '<p>page' }, ...others]))], 'a.zip');
}

/** Submits an asynchronous job or a batch, lists the jobs, and cancels it. */
function asynchronous(what: string, fields: () => Fields, status = 202): LargeInput {
  const run = async (service: Pick<Service, 'url'>) => {
    const response = await submit(service, demo, fields());
    await (await get(service, '/jobs?limit=500', demo)).arrayBuffer();
    await (await get(service, '/jobs?state=done', demo)).arrayBuffer();
    const { id } = (await response.json().catch(() => ({}))) as { readonly id?: string };
    if (id !== undefined) {
      await (await get(service, `/jobs?batch=${id}&limit=500`, demo)).arrayBuffer();
      await remove(service, demo, id);
    }
    return response.status;
  };
  return { what, status, run };
}

const rows = (count: number, row: (index: number) => string) =>
  new File([`a,b\n${list(count, row).join('\n')}\n`], 'rows.csv');

/** A page that covers its window with random pixels. */
const noise = (width: number, height: number): Fields => ({
  text: `<style>body{margin:0}canvas{display:block}</style><canvas width="${width}" height="${height}"></canvas><script>
    const context = document.querySelector('canvas').getContext('2d'), image = context.createImageData(${width}, ${height});
    const pixels = new Uint32Array(image.data.buffer);
    for (let n = 0; n < pixels.length; n += 1) pixels[n] = (Math.random() * 2 ** 32) | 0xff000000;
    context.putImageData(image, 0, 0)</script>`,
  screenshot_width: width,
});

export const largeInputs: readonly LargeInput[] = [
  form('a text of 100 MB', () => ({ text: `<p>page<!--${megabytes(100, 'x')}-->` })),
  form('a text of 500,000 bytes of ideographs', () => ({ text: `<p>${'字'.repeat(160_000)}` })),
  form('a file of 100 MB', () => ({
    file: new File([`<p>page<!--${megabytes(100, 'x')}-->`], 'page.html'),
  })),
  form('a file of 100 MB of blanks', () => ({ file: new File([megabytes(100, ' ')], 'page.html') }), {
    status: 400,
  }),
  form(
    '499 cookies of 99,000 characters',
    () => ({ text: 'x', cookies: list(499, (n) => `a${n}=${'x'.repeat(99_000)}`) }),
    { status: 400 },
  ),
  form(
    '499 headers of 99,000 characters',
    () => ({ text: 'x', custom_http_header: list(499, (n) => `x-${n}: ${'y'.repeat(99_000)}`) }),
    { status: 400 },
  ),
  form(
    '499 headers of 1,980 characters',
    () => ({ text: 'x', custom_http_header: list(499, (n) => `x-${n}: ${'é'.repeat(1980)}`) }),
    { status: 400 },
  ),
  form(
    '499 unknown fields',
    () => Object.fromEntries(list(499, (n) => [`cookies_${n}`, 'y'.repeat(99_000)])),
    {
      status: 400,
    },
  ),
  urlencoded(
    '500 urlencoded unknown fields',
    () => list(500, (n) => `tag${n}=${'%41'.repeat(30_000)}`).join('&'),
    400,
  ),
  form('1,000 page setups', () => ({
    text: '<p>page',
    conversion_config: setups(1000, (n) => `${n + 1},last`),
  })),
  form('a page range of 16,000 characters', () => ({
    text: paragraphs(20),
    print_page_range: `1${',2-9'.repeat(3999)}`,
  })),
  form('a style sheet of 10 MB', () => ({ text: '<p>page', custom_css: `/*${'x'.repeat(9_999_000)}*/` })),
  form('a script of 10 MB', () => ({ text: '<p>page', custom_javascript: `/*${'字'.repeat(9_999_000)}*/` })),
  form('a style sheet of 50 MB', () => ({ text: '<p>page', custom_css: `/*${megabytes(50, 'x')}*/` }), {
    status: 400,
  }),
  form('a header and a footer of 2 MB', () => ({
    text: '<p>page',
    header_html: `<p>head<!--${'x'.repeat(1_999_000)}-->`,
    footer_html: `<p>foot<!--${'字'.repeat(1_999_000)}-->`,
  })),
  form('a header of 50 MB', () => ({ text: '<p>page', header_html: `<!--${megabytes(50, 'x')}-->` }), {
    status: 400,
  }),
  form('a data: address of 50 MB', () => ({
    text: `<p>page<img src="data:image/png;base64,${megabytes(50, 'AAAA')}">`,
  })),
  form('an archive of 10,000 entries', () => ({ file: archive(10_000, 'x'.repeat(180)) })),
  form(
    'an archive of 10,000 entries with names of 240 characters',
    () => ({ file: archive(10_000, 'x'.repeat(230)) }),
    {
      status: 400,
    },
  ),
  form('an archive of 8,000 entries with names of many accents', () => ({
    file: archive(8000, `a${'\u0301\u0327'.repeat(58)}`),
    zip_main_filename: 'INDEX.html',
  })),
  asynchronous('10,000 rows', () => ({ text: '<p>{{a}}', rows: rows(10_000, (n) => `${n},b`) })),
  asynchronous('10,001 rows', () => ({ text: '<p>{{a}}', rows: rows(10_001, (n) => `${n},b`) }), 400),
  asynchronous('5,000 rows of 10,000 characters', () => ({
    text: '<p>{{a}}',
    rows: rows(5000, (n) => `${n},${'b'.repeat(10_000)}`),
  })),
  asynchronous(
    'a row of 30 MB',
    () => ({
      text: '<p>{{a}}',
      rows: rows(1, () => `1,"${megabytes(30, 'x')}"`),
    }),
    400,
  ),
  asynchronous('an asynchronous job with a text of 50 MB', () => ({
    text: `<p>page<!--${megabytes(50, 'x')}-->`,
  })),
  form('a template with 31 MB of data', () => ({
    text: '<p>{{ a.length }}',
    data_string: `{"a":"${megabytes(31, 'x')}"}`,
  })),
  form('a template of 10 MB of bytes that are invalid in GB 18030', () => ({
    file: new File([new Uint8Array(gb18030Template(9_900_000))], 't.html'),
    data_string: '{"a":"page"}',
  })),
  form('a template that outputs 90 MB', () => ({
    text: '{% for n in a %}<!--{{ b }}-->{% endfor %}<p>page',
    data_string: JSON.stringify({ a: list(90, () => 0), b: megabytes(1, 'x') }),
  })),
  logged('attachments of 100 MB', () => ({ text: '<p>page', attachment: files(19, 5_200_000) })),
  form('a PDF of 3,000 pages with a footer', () => ({
    text: paragraphs(3000),
    remove_blank_pages: 'all',
    footer_html: '<p>foot',
  })),
  logged('9,000 console messages of 1,000 characters', () =>
    page("for (let n = 0; n < 9000; n += 1) console.log(n + 'x'.repeat(950))"),
  ),
  logged('180 cookies and 9,000 console messages', () => ({
    ...page("for (let n = 0; n < 9000; n += 1) console.log(n + 'x'.repeat(950))"),
    cookies: list(180, (n) => `name${n}=secret${n}${'x'.repeat(40)};`).join(''),
  })),
  logged('4,000 requests with long addresses', () =>
    page("for (let n = 0; n < 4000; n += 1) fetch('x' + n + '?' + 'y'.repeat(2000))"),
  ),
  logged('a console message of 20 MB', () => page("console.log('x'.repeat(2e7))"), { chromiumMs: 400 }),
  form('a PNG of noise of 1.4 million pixels', () => ({ ...noise(1400, 1000), output_format: 'png' }), {
    chromiumMs: 250,
  }),
  form('a JPEG of noise of 8 million pixels', () => ({ ...noise(2000, 4000), output_format: 'jpg' }), {
    chromiumMs: 250,
  }),
  ...Object.entries(smallRequests)
    .filter(([, { path }]) => path !== '/jobs')
    .map(([what, { fields, ...expected }]) => form(what, () => fields, expected)),
  ...['/metrics', '/openapi.json', '/docs', '/jobs', '/'].map(read),
];
