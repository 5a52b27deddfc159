import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BreaksEvent, EncodingEvent, LogEvent, NewEvent } from '../../../../main/log/events.ts';
import { at, requestLine } from '../../../support/debug-log/debug-log-lines.ts';
import { onlyFinding } from '../../../support/debug-log/only-finding.ts';

describe('findings about the page', () => {
  const layout = (image?: { width: number; height: number }): LogEvent =>
    at(1, {
      kind: 'layout',
      text: '',
      detail: {
        viewport: { width: 1024, height: 800 },
        media: 'screen',
        scale: 1,
        ...(image && { image }),
      },
    });
  const breaks = (detail: Partial<BreaksEvent['detail']>): LogEvent =>
    at(2, { kind: 'breaks', text: '', detail: { overflows: [], splits: [], tall: [], ...detail } });

  test('an element that overflows by 3 px is named, with the options that make room', () => {
    const overflows = [{ element: 'table.items', by: 3 }];
    const { code, sentence, options } = onlyFinding(layout(), breaks({ overflows }));
    assert.equal(code, 'content-overflows');
    assert.match(
      sentence,
      /1 element extends beyond the right edge of a layout 1,024 px wide: table\.items by 3 px/,
    );
    assert.ok(options.includes('content_fit_mode'));
    const image = onlyFinding(layout({ width: 1024, height: 800 }), breaks({ overflows }));
    assert.deepEqual(image.options, ['content_viewport_width', 'screenshot_width']);
  });

  test('split elements and elements taller than a page are named with their pages', () => {
    assert.match(
      onlyFinding(breaks({ splits: [{ element: 'tr', first: 1, last: 2 }] })).sentence,
      /tr \(pages 1 to 2\)/,
    );
    const { code, sentence } = onlyFinding(breaks({ tall: [{ element: '#terms', height: 2210, page: 3 }] }));
    assert.equal(code, 'content-taller-than-page');
    assert.match(sentence, /#terms \(2,210 px, begins on page 3\)/);
  });

  test('garbled text is quoted, and default_encoding is suggested only if the page declares no encoding', () => {
    const read = (detail: Omit<EncodingEvent['detail'], 'encoding'>) =>
      onlyFinding(at(1, { kind: 'encoding', text: '', detail: { encoding: 'windows-1252', ...detail } }));
    const garbled = read({ declared: 'nothing', replaced: 0, garbled: 'MÃ¼nchen' });
    assert.match(garbled.sentence, /“MÃ¼nchen”.*default_encoding/);
    assert.deepEqual(garbled.options, ['default_encoding']);
    const declared = read({ declared: 'meta', replaced: 4 });
    assert.match(declared.sentence, /4 characters cannot be read .* The declaration is wrong/);
    assert.deepEqual(declared.options, []);
    assert.deepEqual([garbled.severity, declared.severity], ['error', 'error']);
  });

  test('garbled text in a page declared as UTF-8 is a warning, and an error if characters could not be decoded', () => {
    const text = { encoding: 'UTF-8', declared: 'meta', garbled: 'MÃ¼nchen' } as const;
    const read = (replaced: number) =>
      onlyFinding(at(1, { kind: 'encoding', text: '', detail: { ...text, replaced } }));
    assert.equal(read(0).severity, 'warning');
    assert.match(read(0).sentence, /looks like .* may have been garbled before it was sent/);
    assert.equal(read(1).severity, 'error');
  });

  test('an image that did not load is reported once, and an oversized image with both of its sizes', () => {
    const image = (url: string, problem: 'broken' | 'oversized'): NewEvent => ({
      kind: 'images',
      text: '',
      detail: {
        images: [
          {
            url,
            problem,
            element: 'img',
            natural: { width: 4000, height: 3000 },
            shown: { width: 300, height: 200 },
          },
        ],
      },
    });
    const lost = requestLine('https://a.example/lost.png', { type: 'Image', status: 404 });
    assert.equal(
      onlyFinding(lost, at(1, image('https://a.example/lost.png', 'broken'))).code,
      'missing-resource',
    );
    assert.equal(
      onlyFinding(lost, at(1, image('https://a.example/lost.png#part', 'broken'))).code,
      'missing-resource',
    );
    assert.equal(onlyFinding(at(1, image('https://a.example/b.png', 'broken'))).code, 'image-broken');
    const sent = requestLine('https://a.example/lost.png', {
      type: 'Image',
      status: 302,
      redirected: 'https://a.example/round.png',
    });
    const round = requestLine('https://a.example/round.png', { failed: 'redirected too often' });
    assert.equal(
      onlyFinding(sent, round, at(1, image('https://a.example/lost.png', 'broken'))).code,
      'redirect-loop',
    );
    const { sentence, options } = onlyFinding(at(1, image('https://a.example/scan.jpg', 'oversized')));
    assert.match(sentence, /scan\.jpg \(4,000 × 3,000, shown at 300 × 200 px\)/);
    assert.ok(options.includes('image_dpi'));
  });
});
