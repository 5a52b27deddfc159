/** The choice of a renderer process for a page. Starting a new process takes longer than converting most pages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadHeaderFooter } from '../../main/engine/loading/steps/write.ts';
import { loadPage } from '../../main/engine/loading/load-page.ts';
import type { EngineWindow } from '../../main/engine/window/engine-window.ts';
import { defaultLimits } from '../../main/input/archive/limits.ts';
import { prepareSource } from '../../main/input/prepare-source.ts';
import { newRun } from '../support/service/engine.ts';
import { openTwoSites, type Pages } from '../support/servers/two-sites.ts';

const pages: Pages = {
  '/leads': ({ there }) => `<script>location = '${there}/'</script>`,
  '/': () => '<p>page',
  '/stream': () => '<p>page<script>setInterval(() => fetch("/"), 1)</script>',
};

const rendererOf = ({ contents }: EngineWindow) => contents.getOSProcessId();

describe('A renderer', () => {
  test('shows pages of one site only', async () => {
    await using web = await openTwoSites(pages, { workers: 1 });
    const [here, there] = [web.here, web.there].map((site) => () => web.visit(`${site}/`, rendererOf));
    const streaming = () => web.visit(`${web.here}/stream`, rendererOf);
    const sent = async () => {
      const run = newRun('<script>1</script>');
      const source = await prepareSource(run, defaultLimits);
      return web.engine.withWindow(run, source, async (window, limited) =>
        rendererOf((await loadPage(window, source, limited)).window),
      );
    };
    assert.ok(here && there);
    const runs = [
      [here, streaming, here, streaming, here],
      [sent, sent],
      [there, there],
      [here],
      [sent],
      [there],
      [here],
    ];
    const seen: number[] = [];
    for (const run of runs) {
      const renderers = new Set<number>();
      for (const visit of run) renderers.add(await visit());
      assert.equal(renderers.size, 1);
      seen.push(...renderers);
    }
    assert.equal(new Set(seen).size, runs.length);
  });

  test('that has shown a header shows no page from the network', async () => {
    await using web = await openTwoSites(pages, { workers: 1 });
    const header = newRun('<script>1</script>');
    const source = await prepareSource(header, defaultLimits);
    assert.ok(source.kind === 'document');
    const before = await web.visit(`${web.here}/`, async (window, run) => {
      await loadHeaderFooter(window, source, run);
      return rendererOf(window);
    });
    assert.notEqual(await web.visit(`${web.here}/`, rendererOf), before);
  });

  test('that has shown the target of a redirect shows no other site', async () => {
    await using web = await openTwoSites(pages, { workers: 1 });
    const before = await web.visit(`${web.here}/leads`, (window) => {
      assert.equal(window.contents.getURL(), `${web.there}/`);
      return rendererOf(window);
    });
    assert.notEqual(await web.visit(`${web.here}/`, rendererOf), before);
  });

  test('is used again for pages of its site if there are several windows', async () => {
    await using web = await openTwoSites(pages, { workers: 2 });
    const [here, there] = await Promise.all(
      [web.here, web.there].map((site) => web.visit(`${site}/`, rendererOf)),
    );
    const cleaned = async () => {
      while (web.engine.state.windows.dynamic.working > 0)
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    for (const site of [web.here, web.here, web.there, web.here, web.there]) {
      await cleaned();
      assert.equal(await web.visit(`${site}/`, rendererOf), site === web.here ? here : there);
    }
  });

  test('is used again when several callers alternate between sites', async () => {
    await using web = await openTwoSites(pages, { workers: 2 });
    const renderers = new Set<number>();
    const left = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? web.here : web.there)).values();
    const caller = async () => {
      for (const site of left) renderers.add(await web.visit(`${site}/`, rendererOf));
    };
    await Promise.all([caller(), caller(), caller(), caller()]);
    assert.ok(renderers.size <= 8, `${renderers.size} renderers for 40 pages`);
  });
});
