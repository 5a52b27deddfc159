/** Waits for fonts and images, including lazily loaded ones, and finishes the animations of documents without scripts. */
import { callInPage } from '../../devtools/evaluate.ts';
import { isImage } from '../../../job/job.ts';
import { joinAddresses, loadTimeoutLeft } from '../load-timeout.ts';
import type { Loading } from '../loading.ts';

export async function loadFontsAndImages(loading: Loading): Promise<void> {
  const { window, source, run } = loading;
  const timeoutMs = loadTimeoutLeft(run, window.context.requests.elapsedMs(), 1 / 4);
  const { pending, followsScrolling } = await callInPage(
    window.contents,
    waitForFontsAndImages,
    // The page is captured for an image, and for a debug log.
    window.kind === 'dynamic' && (isImage(run.job.options) || run.log.isRecorded),
    timeoutMs,
    // If the page runs scripts, PageSettler plays its animations to their end (page-settler.ts).
    !source.scripts || run.job.options.disable_javascript,
  );
  if (followsScrolling) loading.followsScrolling = true;
  if (pending === 0) run.log.setStageReason('all fonts and images had loaded');
  else {
    const addresses = joinAddresses(window.context.requests.pendingUrls());
    run.log.setStageReason(
      `the time limit was reached; ${pending} fonts or images were still loading${addresses && `: ${addresses}`}`,
    );
  }
}

export interface LoadResult {
  /** The number of images that are still loading, plus one if fonts are still loading. */
  readonly pending: number;
  /** The page has animations that follow scrolling. */
  readonly followsScrolling: boolean;
}

/**
 * Waits at most `timeoutMs` until fonts and images have loaded. Runs inside the page. `decode`: also decodes the images, which a
 * capture does not wait for; a print decodes them itself. This waits for an animation frame, so set it only in windows with a high
 * frame rate. `endAnimations`: finishes all animations that have an end.
 */
export async function waitForFontsAndImages(
  decode: boolean,
  timeoutMs: number,
  endAnimations: boolean,
): Promise<LoadResult> {
  const animations = document.getAnimations();
  if (endAnimations)
    for (const animation of animations) {
      const end = Number(animation.effect?.getComputedTiming().endTime);
      if (animation.playState === 'running' && animation.playbackRate > 0 && Number.isFinite(end))
        animation.finish();
    }
  const images = [...document.images];
  for (const element of document.querySelectorAll('[loading=lazy]')) element.setAttribute('loading', 'eager');
  const loaded = (image: HTMLImageElement): Promise<unknown> =>
    image.complete
      ? Promise.resolve()
      : new Promise((resolve) => {
          image.addEventListener('load', resolve);
          image.addEventListener('error', resolve);
        });
  const ready = async (image: HTMLImageElement): Promise<void> => {
    await loaded(image);
    if (decode) await image.decode().catch(() => {});
  };
  const everything = Promise.all([...images.map(ready), document.fonts.ready]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([everything, new Promise((resolve) => (timer = setTimeout(resolve, timeoutMs)))]);
  clearTimeout(timer);
  const pendingImages = images.filter((image) => !image.complete).length;
  return {
    pending: pendingImages + (document.fonts.status === 'loading' ? 1 : 0),
    followsScrolling: animations.some(({ timeline }) => timeline && !(timeline instanceof DocumentTimeline)),
  };
}
