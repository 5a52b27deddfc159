import assert from 'node:assert/strict';
import { linkSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { after, before, describe, test } from 'node:test';
import { openAttacker, servedPath, type Attacker } from '../../support/servers/attacker.ts';
import { makeCertificates } from '../../support/servers/certificates.ts';
import { htmlFile, type Fields } from '../../support/service/convert.ts';
import { writeSecretFiles, type SecretFiles } from '../../support/service/secret-files.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { tar } from '../../support/archives/tar-writer.ts';
import { convertAndCheckSecret, ownArchive, secretColour } from './secret-check.ts';

interface SecretFileInput {
  /** Completes the test title "a request cannot show a file of the machine by ...". */
  readonly by: string;
  /** `folder`: the folder of the secret files; `at`: the URL of the HTML file in the folder. */
  readonly fields: (folder: string, at: string) => Fields;
  /** Matches the text of the document, the error or the debug log, which proves that the attempt was made. */
  readonly proof: RegExp;
}

const refusedByBrowser = /Not allowed to load local resource: file:/;
const xhtml = 'xmlns="http://www.w3.org/1999/xhtml"';

const inputs: readonly SecretFileInput[] = [
  ...['header_html', 'footer_html'].flatMap((option) => [
    {
      by: `an image in ${option}`,
      fields: (folder: string) => ({ text: 'x', [option]: `<img src="file://${folder}/x.svg">` }),
      proof: refusedByBrowser,
    },
    {
      by: `a frame in ${option}`,
      fields: (_folder: string, at: string) => ({ text: 'x', [option]: `<iframe src="${at}"></iframe>` }),
      proof: refusedByBrowser,
    },
    {
      by: `a script in ${option}`,
      fields: (_folder: string, at: string) => ({
        text: 'x',
        [option]: `<script>fetch("${at}").then(r => r.text()).then(t => document.body.append(t), () => document.body.append('no'))</script>`,
      }),
      proof: refusedByBrowser,
    },
  ]),
  {
    by: 'custom_css',
    fields: (folder) => ({
      text: '<p>x',
      custom_css: `@import "file://${folder}/x.css"; p{background:url(file://${folder}/x.svg)}`,
    }),
    proof: refusedByBrowser,
  },
  {
    by: 'custom_javascript',
    fields: (_folder, at) => ({
      text: '<p>x',
      custom_javascript: `fetch('${at}').then(r => r.text()).then(t => document.body.append(t), e => document.body.append('no: ' + e))`,
    }),
    proof: /no: TypeError/,
  },
  {
    by: 'on_load_javascript',
    fields: (_folder, at) => ({
      text: '<p>x',
      // Delayed, because Electron 33 crashes if a frame is added while the script is evaluated.
      on_load_javascript: `void setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<iframe src="${at}">'))`,
    }),
    proof: refusedByBrowser,
  },
  {
    by: 'an external entity in an SVG',
    fields: (_folder, at) => ({
      file: htmlFile(
        `<!DOCTYPE svg [<!ENTITY x SYSTEM "${at}">]><svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><text y="20">text&x;</text></svg>`,
        'a.svg',
      ),
    }),
    proof: /text/,
  },
  {
    by: 'an external entity in XHTML',
    fields: (_folder, at) => ({
      file: htmlFile(
        `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "${at}">]><html ${xhtml}><body><p>text</p>&x;</body></html>`,
        'a.xhtml',
      ),
    }),
    proof: /text/,
  },
  {
    by: 'an XML style sheet',
    fields: (folder) => ({
      file: htmlFile(
        `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="file://${folder}/x.css"?><html ${xhtml}><body><p>text</p></body></html>`,
        'a.xhtml',
      ),
    }),
    proof: refusedByBrowser,
  },
  {
    by: 'XInclude',
    fields: (_folder, at) => ({
      file: htmlFile(
        `<?xml version="1.0"?><html ${xhtml}><body><p>text</p><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${at}" parse="text"/></body></html>`,
        'a.xhtml',
      ),
    }),
    proof: /text/,
  },
  {
    by: 'an XSL transformation',
    fields: (_folder, at) => ({
      text: `<script>const sheet = new DOMParser().parseFromString(\`<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><p><xsl:copy-of select="document('${at}')"/></p></xsl:template></xsl:stylesheet>\`, 'text/xml'); const p = new XSLTProcessor(); try { p.importStylesheet(sheet); document.append(p.transformToFragment(sheet, document)) } catch {} document.write('text')</script>`,
    }),
    proof: /text/,
  },
  {
    by: "an external entity in a template's data",
    fields: (_folder, at) => ({
      text: '<p>text{{ data.a }}',
      data_format: 'xml',
      data_string: `<!DOCTYPE a [<!ENTITY x SYSTEM "${at}">]><data><a>&x;</a></data>`,
      data_ignore_undefined: true,
    }),
    proof: /text|^400\.3/,
  },
  ...['include', 'extends', 'import'].map((tag) => ({
    by: `{% ${tag} %} in a template`,
    fields: (folder: string) => ({
      text: `<p>text{% ${tag} "${folder}/x.html" ${tag === 'import' ? 'as x ' : ''}%}`,
      data_string: '{"a":1}',
      template_engine: 'jinja',
    }),
    proof: /^400\.3/,
  })),
  {
    by: 'a partial in a template',
    fields: (folder) => ({
      text: `<p>text{{> ${folder}/x.html }}`,
      data_string: '{"a":1}',
      template_engine: 'handlebars',
    }),
    proof: /^400\.3/,
  },
  ...['zip_main_filename', 'zip_header_filename', 'zip_footer_filename'].flatMap((option) =>
    [
      (folder: string) => `${folder}/x.html`,
      (folder: string) => `${'../'.repeat(12)}${folder.slice(1)}/x.html`,
    ].map((name, at) => ({
      by: `${option} ${at === 0 ? 'with an absolute path' : 'with ../'}`,
      fields: (folder: string) => ({ file: ownArchive('x'), [option]: name(folder) }),
      proof: /^400\.3/,
    })),
  ),
  ...[
    ['1', 'a hard link'],
    ['2', 'a symbolic link'],
  ].map(([type = '', what = '']) => ({
    by: `${what} in an archive`,
    fields: (folder: string) => {
      const entries = [
        { name: 'index.html', contents: '<p>text<iframe src="l.html"></iframe>' },
        { name: 'l.html', type, link: `${folder}/x.html` },
      ];
      return { file: htmlFile(new Uint8Array(gzipSync(tar(entries))), 'a.tar.gz') };
    },
    proof: /^400\.3/,
  })),
  ...['/', '../../../../', '..\\..\\', 'C:\\', 'C:/', '\\\\host\\share\\', 'file:///'].map((front) => ({
    by: `the url ${front}x.html`,
    fields: () => ({ url: `${front}x.html` }),
    proof: /^400\.320 - /,
  })),
];

describe('Local files and uploads', { concurrency: 2 }, () => {
  let service: Service;
  let attacker: Attacker;
  let secret: SecretFiles;
  before(async () => {
    secret = writeSecretFiles(secretColour);
    attacker = await openAttacker(makeCertificates().server);
    service = await startService({
      flags: ['--workers', '2', '--network-allow', `127.0.0.1:${attacker.port}`],
    });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await attacker[Symbol.asyncDispose]();
    secret[Symbol.dispose]();
  });

  for (const { by, fields, proof } of inputs)
    test(`a request cannot show a file of the machine by ${by}`, async () => {
      const { text, log } = await convertAndCheckSecret(
        service,
        secret,
        fields(secret.folder, `file://${secret.folder}/x.html`),
      );
      assert.match(`${text}\n${log.text}`, proof);
    });

  const redirected: readonly (readonly [what: string, fields: (to: string) => Fields])[] = [
    ['the page', (url) => ({ url })],
    ['an image', (to) => ({ text: `<img src="${to}">` })],
    ['a frame', (to) => ({ text: `<iframe src="${to}"></iframe>` })],
    ['a style sheet', (to) => ({ text: `<link rel="stylesheet" href="${to}">` })],
    ['a script', (to) => ({ text: `<script src="${to}"></script>` })],
    [
      'fetch',
      (to) => ({
        text: `<script>fetch("${to}").then(r => r.text()).then(t => document.body.append(t), () => {})</script>`,
      }),
    ],
    ['header_url', (to) => ({ text: 'x', header_url: to })],
    ['page_watermark_url', (to) => ({ text: 'x', page_watermark_url: to })],
  ];
  for (const [what, fields] of redirected)
    test(`a redirect of ${what} to a local file shows nothing of the file`, async () => {
      for (const scheme of ['file://', 'FILE://localhost']) {
        const name = what === 'an image' ? 'x.svg' : what === 'a style sheet' ? 'x.css' : 'x.html';
        const path = servedPath(what, {
          status: 302,
          headers: { location: `${scheme}${secret.folder}/${name}` },
        });
        await convertAndCheckSecret(service, secret, fields(attacker.origin + path));
        assert.ok(attacker.requestedPaths.has(path), 'the redirect was not requested');
      }
    });

  /** Converts an archive. When it is unpacked, calls `plant` with the path of a file, and then lets the page load the file. */
  async function replaceJobFile(id: string, plant: (jobFolder: string) => void): Promise<string> {
    const done = attacker.waitForRequest(`/there/${id}`, AbortSignal.timeout(20_000)).then(() => {
      const work = join(service.data, 'work');
      const paths = readdirSync(work, { recursive: true }).map((path) => join(work, String(path)));
      const jobFile = paths.find((path) => path.endsWith(`${id}/x.html`));
      assert.ok(jobFile, `the job has no files: ${paths.join()}`);
      plant(jobFile);
    });
    attacker.hold(`/planted/${id}`, done);
    const page = `<img src="${attacker.origin}/there/${id}"><script src="${attacker.origin}/planted/${id}.js"></script><p>text<iframe src="${id}/x.html"></iframe>`;
    const entries = [
      { name: 'index.html', contents: page },
      { name: `${id}/x.html`, contents: '<p>mine' },
    ];
    const { text } = await convertAndCheckSecret(service, secret, {
      file: htmlFile(new Uint8Array(tar(entries)), 'a.tar'),
    });
    await done;
    return text;
  }

  test('a page can show an unpacked file that was not replaced', async () => {
    assert.match(await replaceJobFile('unchanged', () => undefined), /mine/);
  });

  test('a symbolic link that replaces an unpacked file is not followed', async () => {
    const text = await replaceJobFile('link', (mine) => {
      rmSync(mine);
      symlinkSync(join(secret.folder, 'x.html'), mine);
    });
    assert.doesNotMatch(text, /mine/);
  });

  test('a symbolic link that replaces an unpacked folder is not followed', async () => {
    const text = await replaceJobFile('folder', (mine) => {
      renameSync(dirname(mine), `${dirname(mine)}-away`);
      symlinkSync(secret.folder, dirname(mine));
    });
    assert.doesNotMatch(text, /mine/);
  });

  test('a hard link that replaces an unpacked file is not shown', async () => {
    const text = await replaceJobFile('hard', (mine) => {
      rmSync(mine);
      linkSync(join(secret.folder, 'x.html'), mine);
    });
    assert.doesNotMatch(text, /mine/);
  });
});
