import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  createReadStream,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { after, before, describe, test } from 'node:test';
import mime from 'mime-types';
import { zip as zipOf } from '../../support/archives/zip-writer.ts';
import { readDebugLog } from '../../support/debug-log/debug-log.ts';
import { convert, htmlFile, refusal, send } from '../../support/service/convert.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { readImage, type PixelImage } from '../../support/output/image.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { temporaryFolder, type Service } from '../../support/service/service.ts';
import { writeSite } from '../../support/pages/sample-site.ts';

/** Serves a folder on loopback. */
async function serveFolder(folder: string) {
  const server = createServer((request, response) => {
    const path = join(folder, decodeURIComponent((request.url ?? '/').split('?')[0] ?? ''));
    const found = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    response.writeHead(found ? 200 : 404, { 'content-type': mime.contentType(extname(path)) || 'text/html' });
    if (found) createReadStream(path).pipe(response);
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** Returns the fraction of pixels that differ visibly; 1 if the sizes differ. */
function difference(left: PixelImage, right: PixelImage): number {
  if (left.width !== right.width || left.height !== right.height) return 1;
  let different = 0;
  for (let y = 0; y < left.height; y += 1) {
    for (let x = 0; x < left.width; x += 1) {
      const a = left.at(x, y);
      const b = right.at(x, y);
      if (a.some((channel, index) => Math.abs(channel - (b[index] ?? 0)) > 24)) different += 1;
    }
  }
  return different / (left.width * left.height);
}

describe('Archives', () => {
  let service: Service;
  const folder = temporaryFolder();
  const site = join(folder, 'site');
  before(async () => {
    writeSite(site);
    service = await defaultService();
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const run = (program: string, parameters: string[], cwd: string) => {
    const { status, stderr, error } = spawnSync(program, parameters, { cwd });
    assert.equal(error, undefined);
    assert.equal(status, 0, stderr.toString());
  };
  // The tar of Windows writes zip files too. Another one on the PATH may take `C:` for the name of a host.
  const isWindows = process.platform === 'win32';
  const tarProgram = isWindows ? join(process.env.SystemRoot ?? '', 'System32', 'tar.exe') : 'tar';
  const zip = (path: string, names: string[], cwd: string) => {
    if (isWindows) run(tarProgram, ['-c', '--format', 'zip', '-f', path, ...names], cwd);
    else run('zip', ['-qr', path, ...names], cwd);
  };
  const packed = (name: string, create: (path: string) => void) => {
    const path = join(folder, name);
    create(path);
    return htmlFile(new Uint8Array(readFileSync(path)), name);
  };
  const archives: Readonly<Record<string, () => File>> = {
    'a .zip': () =>
      packed('a.zip', (path) => {
        zip(path, ['.'], site);
      }),
    'a .tar.gz': () =>
      packed('a.tar.gz', (path) => {
        run(tarProgram, ['czf', path, '.'], site);
      }),
    'a .tar.bz2': () =>
      packed('a.tar.bz2', (path) => {
        run(tarProgram, ['cjf', path, '-C', site, '.'], site);
      }),
    'a plain .tar': () =>
      packed('a.tar', (path) => {
        run(tarProgram, ['cf', path, '-C', site, '.'], site);
      }),
    'an archive that contains only a folder': () =>
      packed('folder.zip', (path) => {
        zip(path, ['site'], folder);
      }),
  };

  test('a site in an archive of any format is converted like the same folder on a web server', async () => {
    const web = await serveFolder(site);
    const options = { output_format: 'png', screenshot_width: 1000, wait_for_element: '.dropdown-menu.show' };
    const expected = await readImage(await convert(service, { url: `${web.url}/index.html`, ...options }));
    web.close();
    for (const [what, make] of Object.entries(archives)) {
      const image = await readImage(await convert(service, { file: make(), ...options }));
      assert.ok(difference(image, expected) < 0.001, `${what}: ${difference(image, expected)}`);
    }
  });

  test('an archive is recognised by its content, not by its name or form field', async () => {
    const bytes = new Uint8Array((await archives['a .zip']?.().arrayBuffer()) ?? new ArrayBuffer());
    for (const name of ['C:\\temp\\upload', 'stream', 'page.html']) {
      assert.match(pdfText(await convert(service, { stream: htmlFile(bytes, name) })), /Dashboard/);
    }
  });

  test('files are found by names that Windows wrote in the code page of a language, and a note says which', async () => {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text>x</text></svg>';
    const encoded: readonly (readonly [encoding: string, name: string, raw: string])[] = [
      ['gb18030', '图片', 'cdbcc6ac'],
      ['cp932', 'ソ表', '835c955c'],
      ['cp950', '圖片', 'b9cfa4f9'],
      ['cp949', '사진', 'bbe7c1f8'],
      ['cp866', 'фото', 'e4aee2ae'],
      ['cp850', 'Førslag', '469b72736c6167'],
      ['cp1251', 'фото', 'f4eef2ee'],
    ];
    for (const [encoding, name, raw] of encoded) {
      const image = { contents: drawing, flags: 0, system: 0 };
      const file = new File(
        [
          new Uint8Array(
            zipOf([
              { name: 'index.html', contents: `<meta charset="utf-8"><p>page<img src="img/${name}.svg">` },
              {
                ...image,
                name: Buffer.concat([Buffer.from('img/'), Buffer.from(raw, 'hex'), Buffer.from('.svg')]),
              },
            ]),
          ),
        ],
        'names.zip',
      );
      const answer = await send(service, { file, debug_log: true, fail_on_any_url_error: true });
      assert.equal(answer.status, 200, `${encoding}: ${answer.body.toString('latin1', 0, 300)}`);
      const { text } = await readDebugLog(answer);
      assert.ok(text.includes(`was found as ${encoding}`), encoding);
    }
  });

  test('a single gzipped page is converted', async () => {
    const gzipped = htmlFile(new Uint8Array(gzipSync('<p>zipped page</p>')), 'index.html.gz');
    assert.match(pdfText(await convert(service, { file: gzipped })), /zipped page/);
  });

  test('the main file is zip_main_filename, or else the index file, or else the first HTML file, with a note', async () => {
    const several = join(folder, 'several');
    mkdirSync(join(several, 'sub'), { recursive: true });
    for (const name of ['one.html', 'two.html', 'index.htm', 'sub/three.html'])
      writeFileSync(join(several, name), `<p>page ${name}</p>`);
    const all = packed('several.zip', (path) => {
      zip(path, ['one.html', 'two.html', 'index.htm', 'sub/three.html'], several);
    });
    assert.match(pdfText(await convert(service, { file: all })), /page index\.htm/);
    assert.match(
      pdfText(await convert(service, { file: all, zip_main_filename: 'two.html' })),
      /page two\.html/,
    );
    assert.match(
      pdfText(await convert(service, { file: all, zip_main_filename: 'sub/three.html' })),
      /page sub\/three\.html/,
    );
    const unnamed = packed('unnamed.zip', (path) => {
      zip(path, ['two.html', 'one.html'], several);
    });
    const answer = await send(service, { file: unnamed, debug_log: true });
    assert.match(pdfText(answer.body), /page two\.html/);
    const log = await (await fetch(answer.headers.get('x-service-debug-log') ?? '')).text();
    assert.match(log, /two\.html/);
  });

  test('a damaged archive, a missing main file and a symbolic link fail with 400.312, an empty archive with 400.305', async () => {
    const zip = new Uint8Array((await archives['a .zip']?.().arrayBuffer()) ?? new ArrayBuffer());
    assert.match(await refusal(service, { file: htmlFile(zip.slice(0, zip.length / 2)) }), /^400\.312 - /);
    assert.match(
      await refusal(service, { file: htmlFile(zip), zip_main_filename: 'none.html' }),
      /^400\.312 - .*none\.html/,
    );
    const links = join(folder, 'links');
    mkdirSync(links);
    symlinkSync('/etc/passwd', join(links, 'passwd.html'));
    const linked = packed('links.tar', (path) => {
      run(tarProgram, ['cf', path, 'passwd.html'], links);
    });
    assert.match(await refusal(service, { file: linked }), /^400\.312 - .*passwd\.html/);
    // A tar without files consists of blocks of zeros.
    const empty = htmlFile(new Uint8Array(10_240), 'empty.tar');
    assert.match(await refusal(service, { file: empty }), /^400\.305 - .*empty/);
  });

  test('pages of an archive cannot read files of other jobs or of the machine', async () => {
    const spy = join(folder, 'spy');
    mkdirSync(spy);
    writeFileSync(
      join(spy, 'index.html'),
      `<p id="p"></p><script>
      const look = async (url) => { try { const r = await fetch(url); return r.ok ? (await r.text()).length : r.status } catch { return 'refused' } };
      Promise.all(['file:///etc/passwd', '../../../../../../etc/passwd', '/etc/passwd', '..%2f..%2fetc/passwd', 'platen://job/', 'platen://job/../x'].map(look))
        .then(all => { p.textContent = all.join(' ') + ' done' })</script>`,
    );
    const archive = packed('spy.zip', (path) => {
      zip(path, ['index.html'], spy);
    });
    const printed = pdfText(await convert(service, { file: archive, javascript_delay: 500 }));
    assert.equal(printed, 'refused 404 404 404 404 404 done');
  });
});
