/** The media type of a printed page whose window lost its media emulation. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadPage } from '../../main/engine/loading/load-page.ts';
import type { EngineWindow } from '../../main/engine/window/engine-window.ts';
import { defaultLimits } from '../../main/input/archive/limits.ts';
import { prepareSource } from '../../main/input/prepare-source.ts';
import { openFinisher } from '../../main/output/finish/finisher.ts';
import { produce } from '../../main/output/produce.ts';
import { noSigner, newRun, startEngine } from '../support/service/engine.ts';
import { pdfText } from '../support/output/pdf.ts';

const html = `<style>@media print { p::after { content: 'PRINT' } } @media screen { p::after { content: 'SCREEN' } }</style>
<p><script>document.title = 'a page with scripts'</script>`;

/** Prints after `tamper` has changed the first window. Returns the text of the PDF and the number of windows used. */
async function printed(media: 'screen' | 'print', tamper: (window: EngineWindow) => Promise<void>) {
  await using engine = await startEngine({ workers: 1 });
  await using finisher = openFinisher(1);
  const run = newRun(html, { use_print_media: media === 'print' });
  const source = await prepareSource(run, defaultLimits);
  let windows = 0;
  const { bytes } = await engine.withWindow(run, source, async (window, limited) => {
    const page = await loadPage(window, source, limited);
    windows += 1;
    if (windows === 1) await tamper(window);
    return produce(page, limited, { finisher, maxOutputBytes: 1e9, signer: noSigner });
  });
  return { text: pdfText(Buffer.from(bytes)), windows };
}

describe('A page is printed with the requested media type', () => {
  for (const media of ['screen', 'print'] as const) {
    const switched = media === 'screen' ? 'print' : 'screen';
    test(`${media}: even if its window has switched to ${switched}`, async () => {
      const switchMedia = ({ cdp }: EngineWindow) => cdp.setMedia(switched);
      assert.deepEqual(await printed(media, switchMedia), { text: media.toUpperCase(), windows: 1 });
    });

    test(`${media}: in another window if media emulation fails in the first`, async () => {
      const ignoreSetMedia = async ({ cdp }: EngineWindow) => {
        await cdp.setMedia(switched);
        (cdp as { setMedia: typeof cdp.setMedia }).setMedia = () => Promise.resolve();
      };
      assert.deepEqual(await printed(media, ignoreSetMedia), { text: media.toUpperCase(), windows: 2 });
    });
  }

  test('screen: in another window if the first lost its media emulation', async () => {
    const detach = async ({ cdp, contents }: EngineWindow) => {
      (cdp as { setMedia: typeof cdp.setMedia }).setMedia = () => Promise.resolve();
      await contents.debugger.sendCommand('Emulation.setEmulatedMedia', { media: '' });
    };
    assert.deepEqual(await printed('screen', detach), { text: 'SCREEN', windows: 2 });
  });
});
