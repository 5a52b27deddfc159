/**
 * Draws a small, simplified screenshot of a page from its layout: background colours, borders, text in its fonts, and images.
 * Ignores stacking order and effects. Used for windows that draw one frame a second, whose last frame may be out of date.
 */
import { isTransparent } from './transparent-colour.ts';
import { isVisible } from './scrolling/element-styles.ts';

interface Sketch {
  readonly width: number;
  readonly height: number;
  /** JPEG, base64. */
  readonly data: string;
}

interface SketchCanvas {
  readonly context: CanvasRenderingContext2D;
  /** Whether to draw images. */
  readonly images: boolean;
  /** The height to draw, from the top of the page, in CSS pixels. */
  readonly height: number;
  /** Canvas pixels for each CSS pixel. */
  readonly scale: number;
}

/** Returns a sketch `width` pixels wide and at most √2 times as high, as A4 paper is; undefined if it cannot be drawn. */
export function sketch(width: number, maxElements: number): Sketch | undefined {
  // Images of other origins taint the canvas, which then cannot be read. So the second attempt omits images.
  return render(width, maxElements, true) ?? render(width, maxElements, false);
}

function render(width: number, maxElements: number, images: boolean): Sketch | undefined {
  const canvas = document.createElement('canvas');
  const scale = width / window.innerWidth;
  const height = Math.min(document.documentElement.scrollHeight, window.innerWidth * Math.SQRT2);
  Object.assign(canvas, { width, height: Math.max(1, Math.round(height * scale)) });
  const context = canvas.getContext('2d', { willReadFrequently: true, alpha: false });
  if (context === null) return undefined;
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  drawElements({ context, images, height, scale }, maxElements);
  try {
    const data = canvas.toDataURL('image/jpeg', 0.6).split(',')[1] ?? '';
    return { width, height: canvas.height, data };
  } catch {
    return undefined;
  }
}

function drawElements(canvas: SketchCanvas, maxElements: number): void {
  const root = document.documentElement;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const styles = new Map<Element, CSSStyleDeclaration | undefined>();
  for (let node: Node | null = root; node !== null && styles.size < maxElements; node = walker.nextNode()) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : (node as Element);
    if (element === null) continue;
    if (!styles.has(element)) styles.set(element, isVisible(element) ? getComputedStyle(element) : undefined);
    const style = styles.get(element);
    if (style === undefined) continue;
    if (node === element) drawBox(canvas, element, style);
    else if (/\S/.test(node.nodeValue ?? '')) drawText(canvas, node as Text, style);
  }
}

const sides = ['Top', 'Right', 'Bottom', 'Left'] as const;

function drawBox(
  { context, images, height }: SketchCanvas,
  element: Element,
  style: CSSStyleDeclaration,
): void {
  const box = element.getBoundingClientRect();
  if (box.top > height || box.bottom < 0 || box.width === 0 || box.height === 0) return;
  fill(context, style.backgroundColor, box);
  const isImage = /^(img|canvas|video)$/.test(element.localName);
  if (isImage && images) drawImage(context, element as HTMLImageElement, box);
  else if (isImage || /^(svg|iframe)$/.test(element.localName)) fill(context, '#8884', box);
  for (const side of sides) {
    const thickness = Number.parseFloat(style[`border${side}Width`]);
    if (thickness > 0) fill(context, style[`border${side}Color`], edgeOf(box, side, thickness));
  }
}

type PixelBox = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>;

function edgeOf(box: DOMRect, side: (typeof sides)[number], thickness: number): PixelBox {
  const { left, top, width, height } = box;
  if (side === 'Top' || side === 'Bottom')
    return { left, top: side === 'Top' ? top : box.bottom - thickness, width, height: thickness };
  return { left: side === 'Left' ? left : box.right - thickness, top, width: thickness, height };
}

function fill(
  context: CanvasRenderingContext2D,
  colour: string,
  { left, top, width, height }: PixelBox,
): void {
  if (isTransparent(colour)) return;
  context.fillStyle = colour;
  context.fillRect(left, top, width, height);
}

function drawImage(context: CanvasRenderingContext2D, image: HTMLImageElement, box: PixelBox): void {
  try {
    context.drawImage(image, box.left, box.top, box.width, box.height);
  } catch {
    // A broken image cannot be drawn.
  }
}

/** Font size in canvas pixels. Smaller text looks like grey bars, which take a tenth of the time to draw. */
const minFontPixels = 7;

function drawText({ context, height, scale }: SketchCanvas, text: Text, style: CSSStyleDeclaration): void {
  const range = document.createRange();
  range.selectNodeContents(text);
  const boxes = [...range.getClientRects()].filter(({ top }) => top <= height);
  if (boxes.length === 0) return;
  context.fillStyle = style.color;
  if (Number.parseFloat(style.fontSize) * scale >= minFontPixels) drawWords(context, { text, style, boxes });
  else drawBars(context, boxes);
}

function drawBars(context: CanvasRenderingContext2D, boxes: readonly DOMRect[]): void {
  context.globalAlpha = 0.45;
  for (const { left, top, width, height } of boxes)
    context.fillRect(left, top + height * 0.3, width, height * 0.45);
  context.globalAlpha = 1;
}

interface TextRuns {
  readonly text: Text;
  readonly style: CSSStyleDeclaration;
  readonly boxes: readonly DOMRect[];
}

/** Fills each line box with as many words as fit. */
function drawWords(context: CanvasRenderingContext2D, { text, style, boxes }: TextRuns): void {
  context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.textBaseline = 'alphabetic';
  const shownText = style.textTransform === 'uppercase' ? text.data.toUpperCase() : text.data;
  const words = shownText.trim().split(/\s+/);
  for (const { left, top, width, height: lineHeight } of boxes) {
    let line = words.shift() ?? '';
    for (let next = words[0]; next !== undefined && boxes.length > 1; next = words[0]) {
      if (context.measureText(`${line} ${next}`).width > width + 2) break;
      line = `${line} ${words.shift() ?? ''}`;
    }
    if (boxes.length === 1) line = [line, ...words].join(' ');
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText('x');
    context.fillText(line, left, top + (lineHeight - ascent - descent) / 2 + ascent, Math.max(1, width));
  }
}
