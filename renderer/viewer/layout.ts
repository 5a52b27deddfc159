/** Positions of sheets in a column, and which sheets are visible. Pure functions. */

/** In CSS pixels at 100 %. */
export interface SheetSize {
  readonly width: number;
  readonly height: number;
}

/** `top`: CSS pixels from the top of the content. */
export interface SheetBox extends SheetSize {
  readonly top: number;
}

export interface ColumnLayout {
  readonly boxes: readonly SheetBox[];
  /** The width of the widest sheet with its margins. */
  readonly width: number;
  readonly height: number;
}

/**
 * A scroll position: a point of the document, and the place in the viewport that shows this point (by default the top, centred).
 */
export interface ViewPosition {
  /** Counted from 0. */
  readonly page: number;
  /** `y` and `x`: the point as fractions of the sheet's height and width. */
  readonly y: number;
  readonly x: number;
  /** In CSS pixels from the upper left corner of the viewport. */
  readonly at?: { readonly x?: number; readonly y: number };
}

/** Space around and between sheets, in CSS pixels. */
export const margin = 16;

/**
 * Places sheets in a column. `ratio`: device pixels per CSS pixel. Sheets are aligned to device pixels, because they would be
 * blurred otherwise.
 */
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

/**
 * Returns the first and the last sheet within a range of the content. If the range contains no sheet, the last is less than the
 * first.
 */
export function pagesBetween(
  { boxes }: ColumnLayout,
  top: number,
  bottom: number,
): readonly [number, number] {
  const first = countWhile(boxes, (box) => box.top + box.height < top);
  const last = countWhile(boxes, (box) => box.top <= bottom) - 1;
  return [first, last];
}

/**
 * Returns the sheet with the largest visible share. The share is relative to the height of the sheet or, for a higher sheet, of the
 * viewport.
 */
export function currentPageOf(layout: ColumnLayout, top: number, height: number): number {
  const [first, last] = pagesBetween(layout, top, top + height);
  let current = Math.max(0, Math.min(first, layout.boxes.length - 1));
  let largestShare = 0;
  for (let page = first; page <= last; page += 1) {
    const share = visibleShare(layout.boxes[page], top, height);
    // Ignores rounding differences, so that the page number does not flicker.
    if (share > largestShare + 0.001) {
      current = page;
      largestShare = share;
    }
  }
  return current;
}

/** Returns the sheet at a vertical position of the content, and the position within the sheet. */
export function positionAt(layout: ColumnLayout, y: number): Pick<ViewPosition, 'page' | 'y'> {
  const page = Math.max(0, countWhile(layout.boxes, (box) => box.top <= y + margin) - 1);
  const box = layout.boxes[page];
  return { page, y: box === undefined ? 0 : (y - box.top) / box.height };
}

/** Returns the scroll offsets that show a position. If the document has become shorter, they show its last sheet. */
export function scrollFor(
  layout: ColumnLayout,
  position: ViewPosition,
  viewport: SheetSize,
): { top: number; left: number } {
  const box = layout.boxes[Math.min(position.page, layout.boxes.length - 1)];
  if (box === undefined) return { top: 0, left: 0 };
  const start = (Math.max(layout.width, viewport.width) - box.width) / 2;
  const { x = viewport.width / 2, y = 0 } = position.at ?? {};
  return { top: box.top + position.y * box.height - y, left: start + position.x * box.width - x };
}

/** Returns the position that shows the top of a sheet, with a small margin above it. */
export function startOf(page: number): ViewPosition {
  return { page, y: 0, x: 0.5, at: { y: margin / 2 } };
}

function visibleShare(box: SheetBox | undefined, top: number, height: number): number {
  if (box === undefined) return 0;
  const visibleHeight = Math.min(top + height, box.top + box.height) - Math.max(top, box.top);
  return Math.max(0, visibleHeight) / Math.min(box.height, height);
}

/**
 * Returns the number of leading boxes that match. It uses binary search, so no box may match after the first one that does not
 * match.
 */
function countWhile(boxes: readonly SheetBox[], matches: (box: SheetBox) => boolean): number {
  let low = 0;
  let high = boxes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const box = boxes[middle];
    if (box !== undefined && matches(box)) low = middle + 1;
    else high = middle;
  }
  return low;
}
