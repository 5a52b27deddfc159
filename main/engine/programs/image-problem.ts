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
  if (!image.complete || !image.checkVisibility()) return undefined;
  const { naturalWidth: width, naturalHeight: height, currentSrc, src } = image;
  const box = image.getBoundingClientRect();
  const shown = { width: Math.round(box.width), height: Math.round(box.height) };
  const found = (problem: Problem['problem']) => ({
    ...{ url: addressOf(currentSrc || src), element: elementPath(image), problem, shown },
    natural: { width, height },
  });
  if (width === 0 && height === 0) return image.hasAttribute('src') ? found('broken') : undefined;
  if (/\.svgz?([?#]|$)|^data:image\/svg/i.test(currentSrc)) return undefined;
  const needed = shown.width * shown.height * density ** 2;
  if (needed === 0 || width * height < largePixels || width * height < needed * tooMany) return undefined;
  return found('oversized');
}

const longest = 300;

/** The job's own files by their names, data by its type. */
function addressOf(url: string): string {
  if (url.startsWith('data:'))
    return `${/^data:[^,;]{0,80}/.exec(url)?.[0] ?? 'data:'},… (${url.length} characters)`;
  const own = url.replace(/^platen:\/\/job\/[^/]*\//, '');
  return own.length > longest ? `${own.slice(0, longest - 1)}…` : own;
}
