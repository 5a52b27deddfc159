/**
 * Draws a small picture of a page from its layout: colours, lines, texts in their fonts, images. Where windows have a frame a
 * second, nothing else shows a page in time. What lies behind what, and effects, it does not know.
 */
import { isClear } from './clear-colour.ts';

export interface Sketch {
  readonly width: number;
  readonly height: number;
  /** JPEG, base64. */
  readonly data: string;
}

interface Canvas {
  readonly context: CanvasRenderingContext2D;
  readonly images: boolean;
  /** CSS pixels from the top of the page that are drawn. */
  readonly height: number;
  /** Pixels of the picture for each of the page. */
  readonly scale: number;
}

/** `width` in pixels; at most one sheet of the shape of paper. */
export function sketch(width: number, most: number): Sketch | undefined {
  // Images of other sites must not be drawn: the picture could not be read then.
  return drawn(width, most, true) ?? drawn(width, most, false);
}

function drawn(width: number, most: number, images: boolean): Sketch | undefined {
  const canvas = document.createElement('canvas');
  const scale = width / window.innerWidth;
  const height = Math.min(document.documentElement.scrollHeight, window.innerWidth * Math.SQRT2);
  Object.assign(canvas, { width, height: Math.max(1, Math.round(height * scale)) });
  const context = canvas.getContext('2d', { willReadFrequently: true, alpha: false });
  if (context === null) return undefined;
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  draw({ context, images, height, scale }, most);
  try {
    const data = canvas.toDataURL('image/jpeg', 0.6).split(',')[1] ?? '';
    return { width, height: canvas.height, data };
  } catch {
    return undefined;
  }
}

function draw(canvas: Canvas, most: number): void {
  const root = document.documentElement;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const styles = new Map<Element, CSSStyleDeclaration | undefined>();
  for (let node: Node | null = root; node !== null && styles.size < most; node = walker.nextNode()) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : (node as Element);
    if (element === null) continue;
    if (!styles.has(element)) styles.set(element, isSeen(element) ? getComputedStyle(element) : undefined);
    const style = styles.get(element);
    if (style === undefined) continue;
    if (node === element) drawBox(canvas, element, style);
    else if (/\S/.test(node.nodeValue ?? '')) drawText(canvas, node as Text, style);
  }
}

function isSeen(element: Element): boolean {
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

const sides = ['Top', 'Right', 'Bottom', 'Left'] as const;

function drawBox({ context, images, height }: Canvas, element: Element, style: CSSStyleDeclaration): void {
  const box = element.getBoundingClientRect();
  if (box.top > height || box.bottom < 0 || box.width === 0 || box.height === 0) return;
  fill(context, style.backgroundColor, box);
  const isPicture = /^(img|canvas|video)$/.test(element.localName);
  if (isPicture && images) drawPicture(context, element as HTMLImageElement, box);
  else if (isPicture || /^(svg|iframe)$/.test(element.localName)) fill(context, '#8884', box);
  for (const side of sides) {
    const thick = Number.parseFloat(style[`border${side}Width`]);
    if (thick > 0) fill(context, style[`border${side}Color`], edgeOf(box, side, thick));
  }
}

type Box = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>;

function edgeOf(box: DOMRect, side: (typeof sides)[number], thick: number): Box {
  const { left, top, width, height } = box;
  if (side === 'Top' || side === 'Bottom')
    return { left, top: side === 'Top' ? top : box.bottom - thick, width, height: thick };
  return { left: side === 'Left' ? left : box.right - thick, top, width: thick, height };
}

function fill(context: CanvasRenderingContext2D, colour: string, { left, top, width, height }: Box): void {
  if (isClear(colour)) return;
  context.fillStyle = colour;
  context.fillRect(left, top, width, height);
}

function drawPicture(context: CanvasRenderingContext2D, image: HTMLImageElement, box: Box): void {
  try {
    context.drawImage(image, box.left, box.top, box.width, box.height);
  } catch {
    // A broken one cannot be drawn.
  }
}

/** Pixels of the picture; smaller letters cannot be told from a grey line, which is drawn in a tenth of the time. */
const smallestLetters = 7;

function drawText({ context, height, scale }: Canvas, text: Text, style: CSSStyleDeclaration): void {
  const range = document.createRange();
  range.selectNodeContents(text);
  const boxes = [...range.getClientRects()].filter(({ top }) => top <= height);
  if (boxes.length === 0) return;
  context.fillStyle = style.color;
  if (Number.parseFloat(style.fontSize) * scale >= smallestLetters)
    drawLetters(context, { text, style, boxes });
  else drawLines(context, boxes);
}

function drawLines(context: CanvasRenderingContext2D, boxes: readonly DOMRect[]): void {
  context.globalAlpha = 0.45;
  for (const { left, top, width, height } of boxes)
    context.fillRect(left, top + height * 0.3, width, height * 0.45);
  context.globalAlpha = 1;
}

interface Letters {
  readonly text: Text;
  readonly style: CSSStyleDeclaration;
  readonly boxes: readonly DOMRect[];
}

/** Each line with as many words as fill it. */
function drawLetters(context: CanvasRenderingContext2D, { text, style, boxes }: Letters): void {
  context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.textBaseline = 'alphabetic';
  const said = style.textTransform === 'uppercase' ? text.data.toUpperCase() : text.data;
  const words = said.trim().split(/\s+/);
  for (const { left, top, width, height: high } of boxes) {
    let line = words.shift() ?? '';
    for (let next = words[0]; next !== undefined && boxes.length > 1; next = words[0]) {
      if (context.measureText(`${line} ${next}`).width > width + 2) break;
      line = `${line} ${words.shift() ?? ''}`;
    }
    if (boxes.length === 1) line = [line, ...words].join(' ');
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText('x');
    context.fillText(line, left, top + (high - ascent - descent) / 2 + ascent, Math.max(1, width));
  }
}
