/** Finds what may have become an unpacked picture in a PDF: files, canvases, and effects that Chromium draws as pixels. */
import { elementPath } from '../element-path.ts';
import { elementsOf } from '../scrolling/page-elements.ts';
import { addressOf } from './warnings.ts';

export interface PictureCauses {
  readonly pictures: readonly {
    /** The address of the file, or the path of the canvas. */
    readonly name: string;
    readonly width: number;
    readonly height: number;
  }[];
  /** Elements whose style becomes a picture of an unknown size, such as `div.card (box-shadow)`. */
  readonly effects: readonly string[];
}

const maxElements = 3000;
const maxPictures = 200;
const maxEffects = 20;

export function findPictureCauses(): PictureCauses {
  const pictures: PictureCauses['pictures'][number][] = [];
  const effects: string[] = [];
  for (const element of elementsOf(document, maxElements)) {
    if (pictures.length < maxPictures) pictures.push(...pictureOf(element));
    const property = effects.length < maxEffects ? drawnProperty(element) : undefined;
    if (property !== undefined) effects.push(`${elementPath(element)} (${property})`);
  }
  return { pictures, effects };
}

function pictureOf(element: HTMLElement): PictureCauses['pictures'] {
  if (element.localName === 'canvas') {
    const { width, height } = element as HTMLCanvasElement;
    return [{ name: elementPath(element), width, height }];
  }
  if (element.localName !== 'img') return [];
  const { currentSrc, naturalWidth: width, naturalHeight: height } = element as HTMLImageElement;
  return [{ name: addressOf(currentSrc), width, height }];
}

/** Returns the property for which Chromium draws the element or its background as pixels. */
function drawnProperty(element: HTMLElement): string | undefined {
  const style = getComputedStyle(element);
  if (style.filter !== 'none') return 'filter';
  if (isBlurred(style.boxShadow)) return 'box-shadow';
  if (isBlurred(style.textShadow)) return 'text-shadow';
  return style.backgroundImage.startsWith('url(') ? 'background-image' : undefined;
}

/** Returns whether a shadow is blurred. Its computed value is such as `rgb(0, 0, 0) 2px 2px 10px 0px`. */
function isBlurred(shadow: string): boolean {
  return /\dpx -?[\d.]+px [\d.]*[1-9]/.test(shadow);
}
