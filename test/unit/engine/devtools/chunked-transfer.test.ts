import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { sendInChunks, maxChunkLength } from '../../../../main/engine/devtools/evaluate.ts';

/** Returns a page that evaluates each message `times` times, because Chromium may execute a command twice. */
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

// A surrogate pair crosses each chunk boundary.
const long = `x${'𝄞'.repeat(maxChunkLength)}</script>"\\\u2028\n`;

for (const times of [1, 2])
  test(`a long string arrives intact in short messages and leaves nothing in the page (each message evaluated ${times}x)`, async () => {
    const page = openPage(times);
    const code = await sendInChunks({ run: page.run, key: 'k' }, long);
    assert.ok(
      page.longest() < maxChunkLength * 6.5 && code.length < 1000,
      `${page.longest()} ${code.length}`,
    );
    assert.equal(runInContext(code, page.world.context), long);
    const left: unknown = runInContext('Object.getOwnPropertySymbols(globalThis).length', page.world.context);
    assert.equal(left, 0, 'the page still has a symbol of the transfer');
  });

test('a short string is sent as a literal, without chunks', async () => {
  const page = openPage(1);
  const code = await sendInChunks({ run: page.run, key: 'k' }, 'it\'s "short"');
  assert.equal(runInContext(code, page.world.context), 'it\'s "short"');
  assert.equal(page.longest(), 0);
});

test('a page that navigates during the transfer receives no text', async () => {
  const page = openPage(1);
  let messages = 0;
  const run = (code: string) => {
    if ((messages += 1) === 3) page.world.context = createContext();
    return page.run(code);
  };
  const code = await sendInChunks({ run, key: 'k' }, long);
  assert.equal(runInContext(code, page.world.context), undefined);
});
