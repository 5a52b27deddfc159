import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import { setViewer, type ViewerOptions } from '../../../../main/output/finish/viewer.ts';

/** Returns the catalogue of the saved document in PDF syntax, with page numbers in place of page references. */
async function catalogue(...options: ViewerOptions[]): Promise<string> {
  const document = await PDFDocument.create();
  for (let count = 0; count < 3; count += 1) document.addPage([200, 100]);
  for (const viewerOptions of options) setViewer(document, viewerOptions);
  const saved = await PDFDocument.load(await document.save());
  const preferences = saved.catalog.getViewerPreferences()?.dict.toString() ?? '';
  const pages = saved.getPages().map(({ ref }) => ref.toString());
  const catalog = `${saved.catalog.toString()} ${preferences}`;
  return pages
    .reduce((text, ref, index) => text.replaceAll(`[ ${ref} `, `[ page ${index + 1} `), catalog)
    .replace(/\s+/g, ' ');
}

test('without options the catalogue has no viewer preferences', async () => {
  const catalogueText = await catalogue({ hide_toolbar: false, right_to_left: false });
  assert.doesNotMatch(catalogueText, /PageLayout|PageMode|OpenAction|ViewerPreferences/);
});

const layouts = {
  'single-page': 'SinglePage',
  'one-column': 'OneColumn',
  'two-column-left': 'TwoColumnLeft',
  'two-column-right': 'TwoColumnRight',
} as const;
for (const [page_layout, name] of Object.entries(layouts))
  test(`pages are laid out as ${page_layout}`, async () => {
    const catalogueText = await catalogue({ page_layout: page_layout as keyof typeof layouts });
    assert.match(catalogueText, new RegExp(`/PageLayout /${name} `));
  });

const modes = { 'full-screen': 'FullScreen', thumbnails: 'UseThumbs', outlines: 'UseOutlines' } as const;
for (const [page_mode, name] of Object.entries(modes))
  test(`the document opens with ${page_mode}`, async () => {
    const catalogueText = await catalogue({ page_mode: page_mode as keyof typeof modes });
    assert.match(catalogueText, new RegExp(`/PageMode /${name} `));
  });

describe('a document opens', () => {
  const destinations: readonly (readonly [title: string, options: ViewerOptions, destination: string])[] = [
    ['as wide as the window', { initial_zoom_type: 'fit-width' }, '[ page 1 /FitH null ]'],
    ['as high as the window', { initial_zoom_type: 'fit-height' }, '[ page 1 /FitV null ]'],
    ['with the whole page', { initial_zoom_type: 'fit-page' }, '[ page 1 /Fit ]'],
    ['at the page initial_page', { initial_page: 2 }, '[ page 2 /XYZ null null null ]'],
    [
      'at the last page when initial_page is beyond it',
      { initial_page: 9 },
      '[ page 3 /XYZ null null null ]',
    ],
    ['at the zoom factor initial_zoom', { initial_zoom: 150 }, '[ page 1 /XYZ null null 1.5 ]'],
    ['at a page and a zoom', { initial_page: 3, initial_zoom: 50 }, '[ page 3 /XYZ null null 0.5 ]'],
    ['at a page, shown as a whole', { initial_page: 2, initial_zoom_type: 'fit-page' }, '[ page 2 /Fit ]'],
    [
      'at the zoom factor if a zoom type is given too',
      { initial_zoom: 80, initial_zoom_type: 'fit-page' },
      '[ page 1 /XYZ null null 0.8 ]',
    ],
  ];
  for (const [title, options, destination] of destinations)
    test(title, async () => {
      const catalogueText = await catalogue(options);
      assert.ok(catalogueText.includes(`/OpenAction ${destination}`), catalogueText);
    });
});

const preferences = {
  hide_toolbar: '/HideToolbar true',
  hide_menubar: '/HideMenubar true',
  hide_window_ui: '/HideWindowUI true',
  fit_window: '/FitWindow true',
  center_window: '/CenterWindow true',
  display_title: '/DisplayDocTitle true',
  right_to_left: '/Direction /R2L',
};
for (const [option, entry] of Object.entries(preferences))
  test(`${option} sets only its preference`, async () => {
    const catalogueText = await catalogue({ [option]: true });
    const found = Object.values(preferences).filter((preference) => catalogueText.includes(preference));
    assert.deepEqual(found, [entry]);
  });

test('a second preference is added to the first', async () => {
  const catalogueText = await catalogue({ hide_toolbar: true }, { display_title: true });
  assert.match(catalogueText, /HideToolbar true/);
  assert.match(catalogueText, /DisplayDocTitle true/);
});
