/** Where the sheets of a document lie when they are put one below the other, and which of them are seen. Pure. */

/** CSS pixels at 100 %. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** CSS pixels, from the top of the content. */
export interface Box extends Size {
  readonly top: number;
}

export interface Layout {
  readonly boxes: readonly Box[];
  /** Of the widest sheet, with the room beside it. */
  readonly width: number;
  readonly height: number;
}

/** A point of the document, and where of the window it lies: at its top and in its middle, unless told. */
export interface Place {
  /** From 0. */
  readonly page: number;
  /** Share of the sheet's height and width. */
  readonly y: number;
  readonly x: number;
  /** CSS pixels from the upper left corner of the window. */
  readonly at?: { readonly x?: number; readonly y: number };
}

/** Room around sheets and between them. */
export const margin = 16;

/** `ratio`: device pixels a CSS pixel; sheets begin and end on a whole one, or they would be blurred. */
export function layoutOf(sizes: readonly Size[], scale: number, ratio = 1): Layout {
  const snapped = (length: number) => Math.max(1, Math.round(length * scale * ratio)) / ratio;
  const boxes: Box[] = [];
  let top = margin;
  for (const { width, height } of sizes) {
    const box = { top, width: snapped(width), height: snapped(height) };
    boxes.push(box);
    top += Math.ceil(box.height) + margin;
  }
  const widest = boxes.reduce((most, { width }) => Math.max(most, width), 0);
  return { boxes, width: widest + 2 * margin, height: top };
}

/** The first and the last sheet that reach into a stretch of the content; the last is before the first when none does. */
export function pagesBetween({ boxes }: Layout, top: number, bottom: number): readonly [number, number] {
  const first = countWhile(boxes, (box) => box.top + box.height < top);
  const last = countWhile(boxes, (box) => box.top <= bottom) - 1;
  return [first, last];
}

/** The sheet somebody looks at: the one of which the greatest share is seen, or that fills most of the window. */
export function pageSeen(layout: Layout, top: number, height: number): number {
  const [first, last] = pagesBetween(layout, top, top + height);
  let [seen, most] = [Math.max(0, Math.min(first, layout.boxes.length - 1)), 0];
  for (let page = first; page <= last; page += 1) {
    const share = shareSeen(layout.boxes[page], top, height);
    // A hair more is rounding, not a reason to turn the page.
    if (share > most + 0.001) [seen, most] = [page, share];
  }
  return seen;
}

/** The point of the document at a height of the content. */
export function placeAt(layout: Layout, y: number): Pick<Place, 'page' | 'y'> {
  const page = Math.max(0, countWhile(layout.boxes, (box) => box.top <= y + margin) - 1);
  const box = layout.boxes[page];
  return { page, y: box === undefined ? 0 : (y - box.top) / box.height };
}

/** How far the content is scrolled to show a place; of a document that has become shorter, its last sheet. */
export function scrollFor(layout: Layout, place: Place, room: Size): { top: number; left: number } {
  const box = layout.boxes[Math.min(place.page, layout.boxes.length - 1)];
  if (box === undefined) return { top: 0, left: 0 };
  const start = (Math.max(layout.width, room.width) - box.width) / 2;
  const { x = room.width / 2, y = 0 } = place.at ?? {};
  return { top: box.top + place.y * box.height - y, left: start + place.x * box.width - x };
}

/** The beginning of a sheet, with a little of the ground above it. */
export function startOf(page: number): Place {
  return { page, y: 0, x: 0.5, at: { y: margin / 2 } };
}

function shareSeen(box: Box | undefined, top: number, height: number): number {
  if (box === undefined) return 0;
  const seen = Math.min(top + height, box.top + box.height) - Math.max(top, box.top);
  return Math.max(0, seen) / Math.min(box.height, height);
}

/** How many boxes from the first on are so; none after one that is not. */
function countWhile(boxes: readonly Box[], is: (box: Box) => boolean): number {
  let [low, high] = [0, boxes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const box = boxes[middle];
    if (box !== undefined && is(box)) low = middle + 1;
    else high = middle;
  }
  return low;
}
