/** The frame rate that scripts see, and frames that are not sent to the service. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { EngineWindow } from '../../main/engine/window/engine-window.ts';
import { openTwoSites } from '../support/two-sites.ts';

const moving =
  '<p id="number"><script>let frames = 0; const next = () => { number.textContent = ++frames; requestAnimationFrame(next); }; next();</script>';

describe("A page's frames", () => {
  test('run at screen rate without being sent to the service, also in a new renderer', async () => {
    await using web = await openTwoSites({ '/': () => moving }, { workers: 1 });
    const inspect = async ({ contents }: EngineWindow) => {
      let handed = 0;
      const onPaint = () => (handed += 1);
      contents.on('paint', onPaint);
      const frames = () => contents.executeJavaScript('frames') as Promise<number>;
      const before = await frames();
      await pause(600);
      const made = (await frames()) - before;
      contents.off('paint', onPaint);
      assert.ok(made > 12, `${made} frames in 0.6 s`);
      assert.equal(handed, 0);
      return contents.getOSProcessId();
    };
    const renderers = [await web.visit(`${web.here}/`, inspect), await web.visit(`${web.there}/`, inspect)];
    assert.equal(new Set(renderers).size, 2);
  });
});
