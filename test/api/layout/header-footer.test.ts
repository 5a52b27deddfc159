/** Headers and footers in the PDF. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { before, describe, test } from 'node:test';
import { convert, htmlFile, refusal, send } from '../../support/service/convert.ts';
import { pdfFacts, pdfImage, pdfText, pdfWords, type Word } from '../../support/output/pdf.ts';
import { extent, readImage } from '../../support/output/image.ts';
import type { Service } from '../../support/service/service.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';
import { zip } from '../../support/archives/zip-writer.ts';
import { count, number, pages } from '../../support/pages/numbered-pages.ts';

let service: Service;
before(async () => {
  service = await defaultService();
});

function wordIn(pdf: Buffer, text: string): Word {
  const found = pdfWords(pdf).find((word) => word.text === text);
  assert.ok(found, `no word ${text} in: ${pdfText(pdf, 1)}`);
  return found;
}

describe('a footer', () => {
  test('shows the page number and the page count of the output', async () => {
    const pdf = await convert(service, { text: pages(3), footer_html: `Page ${number} of ${count}` });
    for (const page of [1, 2, 3])
      assert.match(pdfText(pdf, page), new RegExp(`Body ${page} Page ${page} of 3`));
  });

  test('shows page numbers that start at 1 for a page range', async () => {
    const answer = await send(service, {
      text: pages(10),
      footer_html: `Page ${number} of ${count}`,
      print_page_range: '3-4',
    });
    assert.match(pdfText(answer.body, 1), /Body 3 Page 1 of 2/);
    assert.match(pdfText(answer.body, 2), /Body 4 Page 2 of 2/);
    assert.equal(answer.headers.get('x-service-pages'), '2');
    assert.equal(answer.headers.get('x-service-total-pages'), '10');
  });

  test('shows page numbers increased by page_numbering_offset', async () => {
    const fields = { text: pages(2), footer_html: `No ${number}`, page_numbering_offset: 10 };
    assert.match(pdfText(await convert(service, fields), 1), /No 11/);
  });

  test('shows page numbers in the requested format', async () => {
    const roman = '<i class="service-page-number" data-service-number-format="roman"></i>';
    const pdf = await convert(service, { text: pages(4), footer_html: `at ${roman}` });
    assert.match(pdfText(pdf, 4), /at IV/);
  });
});

describe('the areas of header, body and footer', () => {
  test('fill the page in this order, from the top margin to the bottom margin', async () => {
    const headerHtml = (word: string) =>
      `<body style="margin:0;font-size:12px;line-height:12px">${word}</body>`;
    const pdf = await convert(service, {
      text: '<body style="margin:0">Body</body>',
      page_size: 'A5',
      margin_top: '1in',
      margin_bottom: '0.75in',
      header_height: '0.6in',
      header_html: headerHtml('Header'),
      footer_height: '1in',
      footer_html: headerHtml('Footer'),
    });
    const { height } = pdfFacts(pdf);
    const [header, body, footer] = ['Header', 'Body', 'Footer'].map((word) => wordIn(pdf, word));
    assert.ok(header && body && footer);
    assert.ok(header.top >= 72 - 2 && header.bottom <= 1.6 * 72, 'the header is not below the margin');
    assert.ok(
      body.top >= 1.6 * 72 - 2 && body.top < 1.6 * 72 + 12,
      'the body does not start at the end of the header',
    );
    assert.ok(
      footer.top >= height - 1.75 * 72 - 2 && footer.bottom <= height - 0.75 * 72,
      'the footer does not end at the margin',
    );
  });

  test('are as wide as the paper without horizontal margins, if requested', async () => {
    const fields = { text: 'Body', footer_html: '<body style="margin:0">Edge</body>', margin_left: '2in' };
    assert.ok(Math.abs(wordIn(await convert(service, fields), 'Edge').left - 144) < 2);
    const wide = await convert(service, { ...fields, no_header_footer_horizontal_margins: true });
    assert.ok(wordIn(wide, 'Edge').left < 2);
  });

  test('are empty on pages from which the options exclude the header or footer', async () => {
    const fields = { text: pages(4), header_html: 'Head', footer_html: 'Foot' };
    const pdf = await convert(service, {
      ...fields,
      exclude_header_on_pages: '1,-1',
      exclude_footer_on_pages: '2',
    });
    const shown = [1, 2, 3, 4].map((page) => pdfText(pdf, page));
    assert.deepEqual(shown, ['Body 1 Foot', 'Head Body 2', 'Head Body 3 Foot', 'Body 4 Foot']);
    const top = (buffer: Buffer) => wordIn(buffer, 'Body').top;
    assert.ok(Math.abs(top(pdf) - top(await convert(service, fields))) < 0.5);
  });

  test("have contents scaled by header_footer_scale_factor, even beyond Chromium's limits", async () => {
    const size = async (factor: number) => {
      const pdf = await convert(service, {
        text: 'Body',
        header_html: '<body style="margin:0;font-size:8px">Head</body>',
        header_height: '2in',
        header_footer_scale_factor: factor,
      });
      const { left, right } = wordIn(pdf, 'Head');
      return right - left;
    };
    const half = await size(50);
    const normal = await size(100);
    const huge = await size(500);
    assert.ok(
      Math.abs(half / normal - 0.5) < 0.05 && Math.abs(huge / normal - 5) < 0.1,
      `${half} ${normal} ${huge}`,
    );
  });
});

describe('a header', () => {
  test('can have styles, images, links and classes of the body element', async () => {
    const header = `<style>body { margin: 0; background: #ffeecc } .service-page-first b { color: #ff0000 }
      .service-page-last i, .service-page-even u { text-transform: uppercase } .service-page-2 s { display: none }</style>
      <b>■■■</b> <i>last</i> <u>even</u> <s>struck</s><b class="service-remove">kept</b>
      <img src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='20' height='20'%3E%3Crect width='20' height='20' fill='%230000ff'/%3E%3C/svg%3E">
      <a href="https://example.com/there">link</a>`;
    const pdf = await convert(service, { text: pages(2), header_html: header });
    // The class service-remove has no effect in a header.
    assert.match(pdfText(pdf, 1), /last even struckkept/);
    assert.match(pdfText(pdf, 2), /LAST EVEN (?!struck)kept/);
    const first = await readImage(pdfImage(pdf));
    const second = await readImage(pdfImage(pdf, 1, 2));
    assert.ok(
      extent(first, [0, 0, 255]) && extent(first, [255, 0, 0]),
      'the image, or the style for the first page, is missing',
    );
    assert.equal(extent(second, [255, 0, 0]), undefined);
    const area = extent(first, [255, 238, 204]);
    assert.ok(area && area.bottom - area.top > 33, 'the background does not cover the whole header');
    assert.match(pdf.toString('latin1'), /\/URI \(https:\/\/example\.com\/there\)/);
  });

  test('shows the title and the URL of the page', async () => {
    await using web = await serveWeb({ '/a': '<title>The Title</title>Body' });
    const header =
      '<b class="service-source-title"></b> <a class="service-source-url" data-service-placement="href-and-content"></a>';
    const pdf = await convert(service, { url: `${web.url}/a`, header_html: header });
    assert.match(pdfText(pdf), new RegExp(`The Title ${web.url}/a`));
    assert.match(pdf.toString('latin1'), /\/URI \(http:\/\/127\.0\.0\.1:\d+\/a\)/);
  });

  test('runs its scripts once for each page, when the document already contains the page number', async () => {
    const header = `<p id="said">${number}</p><script>
      const p = document.getElementById('said');
      p.textContent = 'Twice ' + 2 * Number(p.textContent) + ' ' + document.body.className.includes('service-page-odd');
    </script>`;
    const pdf = await convert(service, { text: pages(3), header_html: header });
    assert.deepEqual(
      [1, 2, 3].map((page) => pdfText(pdf, page)),
      ['Twice 2 true Body 1', 'Twice 4 false Body 2', 'Twice 6 true Body 3'],
    );
  });

  test('runs no scripts with disable_javascript', async () => {
    const header = 'Still <script>document.body.textContent = "Moved"</script>';
    const pdf = await convert(service, { text: 'Body', header_html: header, disable_javascript: true });
    assert.match(pdfText(pdf), /Still/);
  });

  test('keeps positioned elements on their page', async () => {
    const header = `<div style="position: fixed; right: 0; bottom: 0">At ${number}</div>`;
    const pdf = await convert(service, { text: pages(3), header_html: header });
    for (const page of [1, 2, 3]) assert.match(pdfText(pdf, page), new RegExp(`^At ${page} Body ${page}$`));
    assert.ok(wordIn(pdf, '1').right > 400, 'the header is not on the right');
  });

  test('that is too tall is cut off, and the debug log reports by how much', async () => {
    const answer = await send(service, {
      text: pages(2),
      header_html: `<body style="margin:0"><p style="margin:0;height:40px">Top</p><p style="margin:0">Below ${number}</p></body>`,
      header_height: '40px',
      debug_log: true,
    });
    assert.equal(pdfFacts(answer.body).pages, 2);
    const image = await readImage(pdfImage(answer.body, 2));
    const ink = Array.from({ length: 70 }, (_, row) => row + 2 * (29 + 31)).filter((y) =>
      Array.from({ length: image.width }, (_, x) => x).some((x) => image.at(x, y)[0] < 128),
    );
    // Below the first line of the header, only the line of the body has dark pixels.
    assert.ok(Math.max(...ink) - Math.min(...ink) < 2 * 14, 'the second line of the header is not cut off');
    const log = await fetch(answer.headers.get('x-service-debug-log') ?? '');
    assert.match(await log.text(), /The header is \d+ px .* taller than its area and was cut/);
  });

  test('can be loaded from a URL, which is the base of its relative URLs', async () => {
    const square =
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="#00ff00"/></svg>';
    await using web = await serveWeb({
      '/parts/head.html': `<img src="square.svg"> From there ${number}`,
      '/parts/square.svg': (_, response) => response.setHeader('content-type', 'image/svg+xml').end(square),
      '/parts/gone.html': (_, response) => response.writeHead(404).end(),
    });
    const pdf = await convert(service, { text: pages(2), header_url: `${web.url}/parts/head.html` });
    assert.match(pdfText(pdf, 2), /From there 2/);
    assert.ok(extent(await readImage(pdfImage(pdf)), [0, 255, 0]));
    const notFound = await refusal(service, { text: 'Body', header_url: `${web.url}/parts/gone.html` });
    assert.match(notFound, /^400\.321 - The address of header_url was answered with status 404/);
    const refused = await refusal(service, { text: 'Body', footer_url: 'http://169.254.1.1/' });
    assert.match(refused, /^400\.322 - .*footer_url/);
  });

  test('is requested with the cookies, the custom HTTP header and the password of the job', async () => {
    const secrets: string[] = [];
    await using web = await serveWeb({
      '/page': 'Body',
      '/head': ({ headers }, response) => {
        if (headers.authorization === undefined) {
          response.writeHead(401, { 'www-authenticate': 'Basic realm="desk"' }).end();
          return;
        }
        secrets.push(String(headers.cookie), String(headers['x-desk']), headers.authorization);
        response.end('Head');
      },
    });
    await convert(service, {
      url: `${web.url}/page`,
      header_url: `${web.url}/head`,
      cookies: 'a=1',
      custom_http_header: 'X-Desk: 7',
      http_auth_user_name: 'user',
      http_auth_password: 'word',
    });
    assert.deepEqual(secrets, ['a=1', '7', `Basic ${Buffer.from('user:word').toString('base64')}`]);
  });

  test('is never loaded from a file after a redirect, and the custom HTTP header is not sent to another origin', async () => {
    const secrets: string[] = [];
    await using foreign = await serveWeb({
      '/head': ({ headers }, response) => {
        secrets.push(String(headers['x-secret']));
        response.end('Other');
      },
    });
    const to = (location: string) => (_: unknown, response: ServerResponse) =>
      response.writeHead(302, { location }).end();
    await using web = await serveWeb({
      '/page': 'Body',
      '/file': to('file:///etc/passwd'),
      '/other': to(`http://localhost:${foreign.port}/head`),
    });
    for (const option of ['header_url', 'page_watermark_url'])
      assert.match(
        await refusal(service, { text: 'B', [option]: `${web.url}/file` }),
        /^400\.321 - .*could not be loaded/,
      );
    const fields = { url: `${web.url}/page`, custom_http_header: 'X-Secret: 7' };
    assert.match(pdfText(await convert(service, { ...fields, header_url: `${web.url}/other` })), /Other/);
    assert.deepEqual(secrets, ['undefined']);
  });

  test('can be loaded from the archive of the page, with its sibling files', async () => {
    const red =
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="#ff0000"/></svg>';
    const archive = zip([
      { name: 'index.html', contents: pages(2) },
      { name: 'parts/head.html', contents: `<img src="../red.svg"> Packed ${number}` },
      { name: 'red.svg', contents: red },
    ]);
    const pdf = await convert(service, {
      file: htmlFile(new Uint8Array(archive), 'site.zip'),
      zip_header_filename: 'parts/head.html',
    });
    assert.match(pdfText(pdf, 2), /Packed 2/);
    assert.ok(extent(await readImage(pdfImage(pdf)), [255, 0, 0]));
    const missing = await refusal(service, {
      file: htmlFile(new Uint8Array(archive), 'site.zip'),
      zip_footer_filename: 'foot.html',
    });
    assert.match(missing, /^400\.312 - .*'foot\.html' of zip_footer_filename/);
    assert.match(
      await refusal(service, { text: 'B', zip_footer_filename: 'foot.html' }),
      /^400\.311 - .*no archive/,
    );
  });

  test('with a height greater than that of the page is refused with a message that names the option', async () => {
    const answer = await refusal(service, { text: 'Body', header_html: 'H', header_height: '12in' });
    assert.match(answer, /^400\.311 - .*header_height .*11\.69in/i);
  });
});
