import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measurePages } from '../../../../../renderer/viewer/pdf/measure-pages.ts';

const { signal } = new AbortController();

/** A document whose pages have the heights in points that `heightOf` returns; undefined for a damaged page. */
function documentWith(numPages: number, heightOf: (page: number) => number | undefined) {
  return {
    numPages,
    getPage(number: number) {
      const height = heightOf(number);
      if (height === undefined) return Promise.reject(new Error(`page ${number} is damaged`));
      const getViewport = ({ scale }: { scale: number }) => ({ width: 72 * scale, height: height * scale });
      return Promise.resolve({ getViewport });
    },
  };
}

test('a damaged page gets the size of the first page, and all other pages keep their own sizes', async () => {
  const damaged = new Set([3, 60, 61]);
  const heightOf = (page: number) => (damaged.has(page) ? undefined : 72 * page);
  const sizes = await measurePages(documentWith(120, heightOf), signal);
  assert.deepEqual(
    sizes?.map(({ height }) => Math.round(height)),
    Array.from({ length: 120 }, (_, index) => (damaged.has(index + 1) ? 96 : 96 * (index + 1))),
  );
});

test('pages of one size are not reported, even if some of them are damaged', async () => {
  const heightOf = (page: number) => (page === 2 ? undefined : 842);
  assert.equal(await measurePages(documentWith(60, heightOf), signal), undefined);
});

test('a document that is closed meanwhile is not measured further', async () => {
  const closed = new AbortController();
  let requested = 0;
  const heightOf = (page: number) => {
    requested += 1;
    closed.abort();
    return page;
  };
  assert.equal(await measurePages(documentWith(1000, heightOf), closed.signal), undefined);
  assert.equal(requested, 50);
});
