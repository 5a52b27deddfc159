/** What is wrong with an image: it is broken, or far larger than it is shown. Part of the program `look`. */
import type { ImagesEvent } from '../../log/events.ts';
import { elementPath } from './element-path.ts';

type Problem = ImagesEvent['detail']['images'][number];

/** Less than this is nothing to save. */
const largePixels = 1_000_000;
/** Twice as many in each direction may be meant for another output. */
const tooMany = 4;

/** `density`: pixels of the output for each CSS pixel. */
export function imageProblem(image: HTMLImageElement, density: number): Problem | undefined {
  const { naturalWidth: width, naturalHeight: height, currentSrc, src } = image;
  const isBroken = width === 0 && height === 0 && image.hasAttribute('src');
  const isVector = /\.svgz?([?#]|$)|^data:image\/svg/i.test(currentSrc);
  const isLarge = width * height >= largePixels && !isVector;
  // Only where there is something to tell: the size on the page costs a layout.
  if (!image.complete || !(isBroken || isLarge) || !image.checkVisibility()) return undefined;
  const box = image.getBoundingClientRect();
  const shown = { width: Math.round(box.width), height: Math.round(box.height) };
  const needed = shown.width * shown.height * density ** 2;
  if (!isBroken && (needed === 0 || width * height < needed * tooMany)) return undefined;
  return {
    ...{ url: addressOf(currentSrc || src), element: elementPath(image), shown },
    problem: isBroken ? 'broken' : 'oversized',
    natural: { width, height },
  };
}

const longest = 300;

/** The job's own files by their names, data by its type. */
function addressOf(url: string): string {
  if (url.startsWith('data:'))
    return `${/^data:[^,;]{0,80}/.exec(url)?.[0] ?? 'data:'},… (${url.length} characters)`;
  const own = url.replace(/^platen:\/\/job\/[^/]*\//, '');
  return own.length > longest ? `${own.slice(0, longest - 1)}…` : own;
}
