/** Waits for fonts and images, lazy ones included. */
import { inPage } from '../in-page.ts';
import { listed } from '../late.ts';
import type { Loading } from '../loading.ts';
import { patienceLeft } from '../patience.ts';

export async function settle({ window, run }: Loading): Promise<void> {
  const patience = patienceLeft(run, window.seat.requests.elapsed(), 1 / 4);
  const pending = await inPage(window.contents, fontsAndImages, window.kind === 'live', patience);
  if (pending === 0) run.log.because('all fonts and images had arrived');
  else {
    const addresses = listed(window.seat.requests.pending());
    run.log.because(`not waited longer for ${pending} fonts or images${addresses && `: ${addresses}`}`);
  }
}

/**
 * Resolves with the number of images still missing. Decoding needs a frame, so it is asked for only where frames are fast;
 * printing decodes by itself.
 */
export async function fontsAndImages(decode: boolean, patience: number): Promise<number> {
  const images = [...document.images];
  for (const element of document.querySelectorAll('[loading=lazy]')) element.setAttribute('loading', 'eager');
  const arrived = (image: HTMLImageElement): Promise<unknown> =>
    image.complete
      ? Promise.resolve()
      : new Promise((resolve) => {
          image.addEventListener('load', resolve);
          image.addEventListener('error', resolve);
        });
  const ready = async (image: HTMLImageElement): Promise<void> => {
    await arrived(image);
    if (decode) await image.decode().catch(() => {});
  };
  const everything = Promise.all([...images.map(ready), document.fonts.ready]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([everything, new Promise((resolve) => (timer = setTimeout(resolve, patience)))]);
  clearTimeout(timer);
  return images.filter((image) => !image.complete).length + (document.fonts.status === 'loading' ? 1 : 0);
}
