import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { inPieces, longestPiece } from '../../../main/engine/in-pieces.ts';

/** A page, as far as it matters here; `times`: Chromium may be told a thing again. */
function openPage(times: number) {
  const world = { context: createContext() };
  let longest = 0;
  const run = (code: string) => {
    longest = Math.max(longest, code.length);
    let value: unknown;
    for (let n = 0; n < times; n += 1) value = runInContext(code, world.context);
    return Promise.resolve(value);
  };
  return { world, run, longest: () => longest };
}

// A character of two units lies across each seam.
const long = `x${'𝄞'.repeat(longestPiece)}</script>"\\\u2028\n`;

for (const times of [1, 2])
  test(`a long text arrives as it is, in short messages, when each is told ${times} times`, async () => {
    const page = openPage(times);
    const code = await inPieces({ run: page.run, key: 'k' }, long);
    assert.ok(page.longest() < longestPiece * 6.5 && code.length < 1000, `${page.longest()} ${code.length}`);
    assert.equal(runInContext(code, page.world.context), long);
    const left: unknown = runInContext('Object.getOwnPropertySymbols(globalThis).length', page.world.context);
    assert.equal(left, 0, 'nothing of it stays');
  });

test('a short text is its own code', async () => {
  const page = openPage(1);
  const code = await inPieces({ run: page.run, key: 'k' }, 'it\'s "short"');
  assert.equal(runInContext(code, page.world.context), 'it\'s "short"');
  assert.equal(page.longest(), 0);
});

test('there is no text where the page has gone elsewhere meanwhile', async () => {
  const page = openPage(1);
  let told = 0;
  const run = (code: string) => {
    if ((told += 1) === 3) page.world.context = createContext();
    return page.run(code);
  };
  const code = await inPieces({ run, key: 'k' }, long);
  assert.equal(runInContext(code, page.world.context), undefined);
});
