import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { geometryFor, printAreaOf } from '../../../main/job/paper.ts';
import { setupOfSelector, setupsOfPages } from '../../../main/job/layout.ts';
import { pageRange, pagesInRange } from '../../../main/job/page-range.ts';
import { readJob } from '../../../main/job/read-job.ts';
import { formOf, limits, optionsOf } from './forms.ts';

const config = (...pageSetup: object[]) => ({ conversion_config: JSON.stringify({ pageSetup }) });

function refuses(fields: Readonly<Record<string, string>>, message: RegExp): void {
  assert.throws(() => readJob(formOf({ text: '<p>', ...fields }), limits), message);
}

describe('conversion_config', () => {
  test('gives individual pages their own setup; later setups take precedence', () => {
    const options = optionsOf(
      config(
        { pages: 'odd', backgroundColor: 'ffeeee' },
        { pages: '3-', displayHeader: 'space', backgroundColor: 'EEFFEE' },
      ),
    );
    const setups = setupsOfPages(options, 4);
    const colours = setups.map(({ backgroundColor }) => backgroundColor);
    assert.deepEqual(colours, ['ffeeee', undefined, 'eeffee', 'eeffee']);
    assert.equal(setups[3]?.displayHeader, 'space');
  });

  test('merges the setups of each page in their order, whichever ranges overlap', () => {
    const range = fc.constantFrom('odd', 'even', 'last', '1-', '2-4', '-3', '1,4', '3,last', '70-');
    const colour = fc.constantFrom('aa0000', '00bb00', '0000cc');
    const display = fc.constantFrom('space', 'content');
    const setup = fc.record(
      { pages: range, backgroundColor: colour, displayHeader: display },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(setup, { maxLength: 8 }), fc.nat(9), (setups, total) => {
        const expected = Array.from({ length: total }, (_, index) => {
          const matching = setups.filter(({ pages }) =>
            pagesInRange(pageRange.read(pages ?? '1-') ?? [], total).includes(index + 1),
          );
          const { pages: _pages, ...members } = Object.assign({}, ...matching) as (typeof setups)[number];
          return members;
        });
        assert.deepEqual(setupsOfPages(optionsOf(config(...setups)), total), expected);
      }),
      { numRuns: 500 },
    );
  });

  test('has at most 1,000 elements in pageSetup', () => {
    const setups = (count: number) => config(...Array.from({ length: count }, () => ({ pages: '1-' })));
    assert.equal(optionsOf(setups(1000)).conversion_config?.length, 1000);
    refuses(setups(1001), /pageSetup has 1001 elements; send at most 1000/);
  });

  test('with a deeply nested member is refused', () => {
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    refuses({ conversion_config: `{"pageSetup": [{"pages": ${nested}}]}` }, /not allowed as pages/);
  });

  test('treats the first page as a right page, and applies a setup without pages to every page', () => {
    const options = optionsOf(
      config({ marginTop: '1in' }, { pages: 'odd', marginLeft: '2in' }, { pages: '1', marginTop: '3in' }),
    );
    const margins = (selector: '' | ':first' | ':left' | ':right') => {
      const { top, left } = geometryFor(options, setupOfSelector(options, selector)).margins;
      return [top, left];
    };
    assert.deepEqual(
      [margins(''), margins(':left'), margins(':right'), margins(':first')],
      [
        [1, 0.4],
        [1, 0.4],
        [1, 2],
        [3, 2],
      ],
    );
  });

  test('ignores a page setup whose values are all empty', () => {
    const options = optionsOf(config({ pages: '1', pageWidth: '', marginTop: '' }));
    assert.equal(setupOfSelector(options, ':first'), undefined);
  });

  test('is refused with the path of the invalid member', () => {
    refuses({ conversion_config: '{' }, /not a JSON object/);
    refuses({ conversion_config: '{"pageSetup": {}}' }, /pageSetup is not a list/);
    refuses(config({ marginTop: '3' }), /'3' is not allowed as marginTop of pageSetup\[0\]/);
    refuses(config({}, { margin: '3in' }), /'margin' is not a known member of pageSetup\[1\]/);
    refuses(config({ pages: '2-3', marginTop: '1in' }), /can be set for pages 1, odd, even or all/);
    refuses(config({ pages: '1', marginTop: '12in' }), /pageSetup\[0\] leave no room/);
  });

  test('gives the space of a header that is hidden on the first page to the content', () => {
    const options = optionsOf({ header_html: 'H', ...config({ pages: '1', displayHeader: 'none' }) });
    const fullHeight = printAreaOf(geometryFor(options)).height;
    const first = printAreaOf(geometryFor(options, setupOfSelector(options, ':first'))).height;
    assert.ok(Math.abs(first - fullHeight - 0.5) < 1e-9);
  });
});

describe('older options', () => {
  test('are aliases of current options, which take precedence', () => {
    assert.equal(optionsOf({ viewport_width: '800' }).content_viewport_width, 800);
    assert.equal(
      optionsOf({ viewport_width: '800', content_viewport_width: 'small' }).content_viewport_width,
      480,
    );
    assert.equal(optionsOf({ viewport_height: '3000' }).content_viewport_height, 3000);
    assert.equal(optionsOf({ smart_scaling_mode: 'single-page-fit' }).content_fit_mode, 'single-page');
    assert.equal(optionsOf({ smart_scaling_mode: 'disabled' }).content_fit_mode, 'no-scaling');
    assert.equal(optionsOf({ use_mobile_user_agent: 'true' }).converter_user_agent, 'latest-chrome-mobile');
  });
});

test('an older option or alias is read as the current option, with a note', () => {
  const notesOf = (fields: object) => readJob(formOf({ text: '<p>', ...fields }), limits).notes;
  assert.deepEqual(notesOf({ smart_scaling_mode: 'disabled' }), [
    {
      text: 'smart_scaling_mode is an older option and was read as content_fit_mode=no-scaling',
      code: 'older-option',
      options: ['content_fit_mode'],
    },
  ]);
  const [ignored] = notesOf({ viewport_width: '700', content_viewport_width: '800' });
  assert.match(ignored?.text ?? '', /^viewport_width was ignored, because content_viewport_width/);
  const upload = { path: '/jobs/1/part', name: 'page.html', size: 12 };
  const { notes } = readJob(formOf({}, [{ name: 'stream', upload }]), limits);
  assert.deepEqual(
    notes.map(({ text }) => text),
    ['stream is an alias and was read as file'],
  );
});

test('options without effect are accepted and noted', () => {
  const { notes } = readJob(formOf({ text: '<p>', layout_dpi: '300', subprocess_referrer: 'x' }), limits);
  assert.equal(notes.length, 2);
  assert.match(notes.map(({ text }) => text).join(), /layout_dpi has no effect: /);
});

test('header_html takes precedence over header_url, with a note', () => {
  const { notes } = readJob(
    formOf({ text: '<p>', header_url: 'http://example.com/', header_html: 'H' }),
    limits,
  );
  assert.deepEqual(notes, [
    {
      text: 'header_url was ignored, because header_html was given too',
      code: 'ignored-input',
      options: ['header_url'],
    },
  ]);
});

test('--alias pdfcrowd accepts invalid certificates unless verify_ssl_certificates is true', () => {
  const verify = (fields: object, isPdfcrowdAlias: boolean) =>
    readJob(formOf({ text: '<p>', ...fields }), { ...limits, isPdfcrowdAlias }).options
      .verify_ssl_certificates;
  assert.deepEqual([verify({}, false), verify({}, true)], [true, false]);
  assert.equal(verify({ verify_ssl_certificates: 'true' }, true), true);
});
