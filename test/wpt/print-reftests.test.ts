/**
 * Runs the print reftests of web-platform-tests (WPT) in bare Electron, a minimal application, and in the service. The service must
 * pass every test that passes in bare Electron. known.md lists the tests that fail in bare Electron because of Chromium.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { convert, type Fields } from '../support/service/convert.ts';
import { startService, temporaryFolder, type Service } from '../support/service/service.ts';
import { difference, rasterize } from './compare-prints.ts';
import { openRawPrinter } from './raw-printer.ts';
import { serveReftests, type ReftestServer } from './reftest-server.ts';
import { countsPage, unpackReftests, waitsForSignal, type Reftest, type Reftests } from './reftests.ts';

/** WPT's defaults for printing: a page of 5in x 3in, margins of half an inch, scale 1; @page rules apply. */
const wptDefaults: Fields = {
  use_print_media: true,
  page_width: '5in',
  page_height: '3in',
  remove_blank_pages: 'none',
  margin_top: '0.5in',
  margin_right: '0.5in',
  margin_bottom: '0.5in',
  margin_left: '0.5in',
  css_page_rule_mode: 'mode2',
};
const viewportWidths = { 'a viewport of 384 px': '384', 'a balanced viewport': 'balanced' };

const untilReady = `new Promise((resolve) => {
  const root = document.documentElement;
  const check = () => root.classList.contains('reftest-wait') || resolve();
  root.dispatchEvent(new Event('TestRendered', { bubbles: true }));
  new MutationObserver(check).observe(root, { attributes: true });
  check();
})`;

/** The paths of the page images, by document. */
type Prints = ReadonlyMap<string, readonly string[]>;

const folder = temporaryFolder();
let reftests: Reftests;
let server: ReftestServer;
let service: Service;
let raw: Prints;

before(async () => {
  reftests = unpackReftests(folder);
  server = await serveReftests(reftests.root);
  const hosts = `localhost:${server.port},127.0.0.1:${server.port}`;
  service = await startService({ flags: ['--network-allow', hosts] });
  await using printer = await openRawPrinter();
  raw = await printAll('raw', (file, to) => printer.print(addressOf(file), to));
});

after(async () => {
  await service[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function addressOf(file: string): string {
  return `http://localhost:${server.port}/${encodeURI(file)}`;
}

/** Prints all documents, two at a time, and converts their pages to images. */
async function printAll(name: string, print: (file: string, to: string) => Promise<void>): Promise<Prints> {
  const prints = new Map<string, readonly string[]>();
  const left = [...reftests.documents];
  mkdirSync(join(folder, name));
  const worker = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      const to = join(folder, name, `${file.replaceAll(/[/.]/g, '_')}.pdf`);
      await print(file, to);
      prints.set(file, await rasterize(to));
    }
  };
  await Promise.all([worker(), worker()]);
  return prints;
}

/** Returns why a test fails; undefined if it passes. It must equal at least one `match` reference, and no `mismatch` reference. */
function failureReason({ file, references, fuzzy }: Reftest, prints: Prints): string | undefined {
  const pagesOf = (name: string) =>
    (prints.get(name) ?? []).filter((_, index) => countsPage(reftests.root, name)(index + 1));
  const outcomes = references.map(({ match, file: reference }) => ({
    match,
    why: difference(pagesOf(file), pagesOf(reference), fuzzy),
  }));
  const same = outcomes.find(({ match, why }) => !match && why === undefined);
  if (same !== undefined) return 'equals its mismatch reference';
  const matching = outcomes.filter(({ match }) => match);
  return matching.some(({ why }) => why === undefined) ? undefined : matching[0]?.why;
}

/** The tests listed in known.md, as `- css/...-print.html`. */
const known = new Set(
  [...readFileSync(join(import.meta.dirname, 'known.md'), 'utf8').matchAll(/^- `(.+)`$/gm)].map(
    ([, file]) => file,
  ),
);

describe('The print reftests of web-platform-tests', () => {
  test('are complete: 375 tests with 666 documents', () => {
    assert.equal(reftests.tests.length, 375);
    assert.equal(reftests.documents.length, 666);
  });

  for (const [title, width] of Object.entries(viewportWidths))
    test(`pass in the service with ${title} if they pass in bare Electron`, async () => {
      const fields = { ...wptDefaults, content_viewport_width: width };
      const prints = await printAll(width, async (file, to) => {
        const waiting = waitsForSignal(reftests.root, file) ? { on_load_javascript: untilReady } : {};
        writeFileSync(to, await convert(service, { ...fields, ...waiting, url: addressOf(file) }));
      });
      const lost = reftests.tests.flatMap((reftest) => {
        const why = failureReason(reftest, prints);
        return why !== undefined && failureReason(reftest, raw) === undefined
          ? [`${reftest.file}: ${why}`]
          : [];
      });
      assert.deepEqual(lost, []);
    });

  test('that fail in bare Electron are listed in known.md', () => {
    const failed = reftests.tests
      .filter((reftest) => failureReason(reftest, raw) !== undefined)
      .map(({ file }) => file);
    assert.deepEqual(
      failed.filter((file) => !known.has(file)),
      [],
    );
  });
});
