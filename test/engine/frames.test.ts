/** Pages run at a normal frame rate, although their frames are not sent to the main process. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { EngineWindow } from '../../main/engine/window/engine-window.ts';
import { openTwoSites } from '../support/servers/two-sites.ts';

const animatedPage =
  '<p id="number"><script>let frames = 0; const next = () => { number.textContent = ++frames; requestAnimationFrame(next); }; next();</script>';

describe("A page's frames", () => {
  test('run at more than 20 per second without being sent to the main process, even in a new renderer', async () => {
    await using web = await openTwoSites({ '/': () => animatedPage }, { workers: 1 });
    const inspect = async ({ contents }: EngineWindow) => {
      let paintEvents = 0;
      const onPaint = () => (paintEvents += 1);
      contents.on('paint', onPaint);
      const frames = () => contents.executeJavaScript('frames') as Promise<number>;
      const before = await frames();
      await pause(600);
      const frameCount = (await frames()) - before;
      contents.off('paint', onPaint);
      assert.ok(frameCount > 12, `${frameCount} frames in 0.6 s`);
      assert.equal(paintEvents, 0);
      return contents.getOSProcessId();
    };
    const renderers = [await web.visit(`${web.here}/`, inspect), await web.visit(`${web.there}/`, inspect)];
    assert.equal(new Set(renderers).size, 2);
  });
});
