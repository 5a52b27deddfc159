/** Positions of sheets in a column, and which sheets are visible. Pure. */

/** CSS pixels at 100 %. */
export interface SheetSize {
  readonly width: number;
  readonly height: number;
}

/** CSS pixels from the top of the content. */
export interface SheetBox extends SheetSize {
  readonly top: number;
}

export interface ColumnLayout {
  readonly boxes: readonly SheetBox[];
  /** The width of the widest sheet with its margins. */
  readonly width: number;
  readonly height: number;
}

/** A point of the document, and its position in the window (by default at the top, centred). */
export interface ViewPosition {
  /** From 0. */
  readonly page: number;
  /** Fractions of the sheet's height and width. */
  readonly y: number;
  readonly x: number;
  /** CSS pixels from the upper left corner of the window. */
  readonly at?: { readonly x?: number; readonly y: number };
}

/** Space around and between sheets. */
export const margin = 16;

/** `ratio`: device pixels per CSS pixel. Sheets are aligned to device pixels, or they would be blurred. */
export function layoutOf(sizes: readonly SheetSize[], scale: number, ratio = 1): ColumnLayout {
  const snapped = (length: number) => Math.max(1, Math.round(length * scale * ratio)) / ratio;
  const boxes: SheetBox[] = [];
  let top = margin;
  for (const { width, height } of sizes) {
    const box = { top, width: snapped(width), height: snapped(height) };
    boxes.push(box);
    top += Math.ceil(box.height) + margin;
  }
  const widest = boxes.reduce((most, { width }) => Math.max(most, width), 0);
  return { boxes, width: widest + 2 * margin, height: top };
}

/** The first and the last sheet within a range of the content; if there is none, the last is before the first. */
export function pagesBetween(
  { boxes }: ColumnLayout,
  top: number,
  bottom: number,
): readonly [number, number] {
  const first = countWhile(boxes, (box) => box.top + box.height < top);
  const last = countWhile(boxes, (box) => box.top <= bottom) - 1;
  return [first, last];
}

/** The current sheet: the one with the largest visible share, or the one that fills most of the window. */
export function pageSeen(layout: ColumnLayout, top: number, height: number): number {
  const [first, last] = pagesBetween(layout, top, top + height);
  let seen = Math.max(0, Math.min(first, layout.boxes.length - 1));
  let largestShare = 0;
  for (let page = first; page <= last; page += 1) {
    const share = shareSeen(layout.boxes[page], top, height);
    // Ignores rounding differences, so that the page number does not flicker.
    if (share > largestShare + 0.001) {
      seen = page;
      largestShare = share;
    }
  }
  return seen;
}

/** The point of the document at a vertical position of the content. */
export function placeAt(layout: ColumnLayout, y: number): Pick<ViewPosition, 'page' | 'y'> {
  const page = Math.max(0, countWhile(layout.boxes, (box) => box.top <= y + margin) - 1);
  const box = layout.boxes[page];
  return { page, y: box === undefined ? 0 : (y - box.top) / box.height };
}

/** The scroll position that shows a place. If the document has become shorter, its last sheet. */
export function scrollFor(
  layout: ColumnLayout,
  place: ViewPosition,
  room: SheetSize,
): { top: number; left: number } {
  const box = layout.boxes[Math.min(place.page, layout.boxes.length - 1)];
  if (box === undefined) return { top: 0, left: 0 };
  const start = (Math.max(layout.width, room.width) - box.width) / 2;
  const { x = room.width / 2, y = 0 } = place.at ?? {};
  return { top: box.top + place.y * box.height - y, left: start + place.x * box.width - x };
}

/** The top of a sheet, with a little space above it. */
export function startOf(page: number): ViewPosition {
  return { page, y: 0, x: 0.5, at: { y: margin / 2 } };
}

function shareSeen(box: SheetBox | undefined, top: number, height: number): number {
  if (box === undefined) return 0;
  const seen = Math.min(top + height, box.top + box.height) - Math.max(top, box.top);
  return Math.max(0, seen) / Math.min(box.height, height);
}

/** The number of leading boxes that match, by binary search; no box matches after one that does not. */
function countWhile(boxes: readonly SheetBox[], is: (box: SheetBox) => boolean): number {
  let low = 0;
  let high = boxes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const box = boxes[middle];
    if (box !== undefined && is(box)) low = middle + 1;
    else high = middle;
  }
  return low;
}
