/**
 * Collects the rows of virtual lists, which draw only the rows that fit into their scroll area, even in an area with room for all.
 * The area gets its own height again and is scrolled in steps (loading/steps/draw-virtual-lists.ts). The rows of each step are cloned,
 * and the clones replace the rows of the list.
 */
import { elementPath } from '../element-path.ts';
import { keepImportantStyles, releaseStyles, setImportantStyles } from './element-styles.ts';
import { contentEnd, gridOf, pictures, undrawnAreas, type ExpandGlobals } from './expand.ts';

/** The state of a list after a step, as JSON data. Lengths are in CSS pixels. */
export interface ListStep {
  /** Top of the visible part of the area's content. */
  readonly top: number;
  /** Height of the visible part. */
  readonly height: number;
  /** Height of the content. */
  readonly total: number;
  /** How far the list has drawn its content, from the top of the content. */
  readonly drawn: number;
}

/** Global variables of the isolated world, which exist until the page is unloaded. */
interface ListGlobals extends ExpandGlobals {
  platenVirtualLists?: { readonly handled: Set<HTMLElement>; open: OpenList | undefined };
}

interface OpenList {
  readonly area: HTMLElement;
  /** The styles with which the area was expanded. */
  readonly styles: Readonly<Record<string, string>>;
  readonly ownHeight: number;
  readonly pageTop: number;
  readonly observer: MutationObserver;
  readonly changes: MutationRecord[];
  /** The collected rows, by the element that contains them. */
  readonly rows: Map<HTMLElement, ListRow[]>;
  /** The number of elements that were cloned. */
  elements: number;
}

/** The place of a row in the content of the area, in CSS pixels. */
interface RowBox {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

interface ListRow extends RowBox {
  readonly clone: HTMLElement;
  readonly isPositioned: boolean;
  readonly isBlank: boolean;
}

const tolerancePixels = 1;
/** A list that draws more rows in a taller area needs fewer steps. */
const tallHeight = 4000;
/** Together, the clones of a list have at most so many elements. */
const maxElements = 200_000;

/** Prepares the next list that has not drawn all of its rows. Returns false if there is none. */
export function openNext(): boolean {
  const globals = globalThis as ListGlobals;
  const lists = (globals.platenVirtualLists ??= { handled: new Set(), open: undefined });
  const area = undrawnAreas().find((element) => !lists.handled.has(element) && element.offsetHeight > 0);
  if (area === undefined) return false;
  lists.handled.add(area);
  const changes: MutationRecord[] = [];
  const observer = new MutationObserver((records) => {
    changes.push(...records);
  });
  lists.open = {
    area,
    styles: releaseStyles(area),
    ownHeight: globals.platenExpanded?.get(area)?.height ?? area.clientHeight,
    pageTop: globalThis.scrollY,
    observer,
    changes,
    rows: new Map(),
    elements: 0,
  };
  showWithHeight(area, tallHeight);
  observer.observe(area, { subtree: true, childList: true, attributes: true });
  return true;
}

/** Gives the area the height that it had in the page, and forgets the rows that were collected. */
export function useOwnHeight(): void {
  const { area, ownHeight, rows } = openList();
  for (const container of rows.keys()) rows.set(container, []);
  showWithHeight(area, ownHeight);
}

/** Scrolls the list, waits for a frame, and returns what it has drawn. */
export async function scrollList(top: number): Promise<ListStep> {
  const { area } = openList();
  area.scrollTop = top;
  await nextFrame();
  return stateOf(area);
}

export function listState(): ListStep {
  return stateOf(openList().area);
}

/** Returns whether the elements that contain the rows are known, after the list has been scrolled. */
export function findRows(): boolean {
  const { area, changes, observer, rows } = openList();
  changes.push(...observer.takeRecords());
  observer.disconnect();
  for (const container of rowContainers(area, changes)) rows.set(container, []);
  return rows.size > 0;
}

/** Clones the rows that the list has drawn. Returns false if the list has too many elements. */
export function collectRows(): boolean {
  const list = openList();
  const { area, rows } = list;
  const { top: areaTop, left: areaLeft } = area.getBoundingClientRect();
  for (const [container, collected] of rows) {
    const earlier = [...collected];
    for (const child of container.children) {
      const { top, left, width, height } = child.getBoundingClientRect();
      if (height === 0 || !('offsetHeight' in child)) continue;
      const row = {
        top: top - areaTop - area.clientTop + area.scrollTop,
        left: left - areaLeft - area.clientLeft + area.scrollLeft,
        width,
        height,
        isPositioned: /absolute|fixed/.test(getComputedStyle(child).position),
        isBlank: isBlank(child),
      };
      // Some lists keep rows that they do not show outside the area.
      if (row.top < -height || row.top >= area.scrollHeight) continue;
      if (earlier.some((other) => !other.isBlank && coversHalf(other, row))) continue;
      const clone = child.cloneNode(true) as HTMLElement;
      list.elements += 1 + clone.querySelectorAll('*').length;
      collected.push({ ...row, clone });
    }
  }
  return list.elements < maxElements;
}

/** The place of a row differs between steps, because lists estimate the height of rows that they do not draw. */
function coversHalf(other: RowBox, { top, left, height }: RowBox): boolean {
  const overlap = Math.min(other.top + other.height, top + height) - Math.max(other.top, top);
  return overlap > Math.min(height, other.height) / 2 && Math.abs(other.left - left) <= tolerancePixels;
}

/** A list that did not draw all of its rows, as JSON data. Lengths are in CSS pixels. */
export interface IncompleteList {
  readonly element: string;
  readonly drawn: number;
  readonly total: number;
}

/** Replaces the rows of the list by the clones, and expands the area again. Returns undefined if no rows are missing. */
export function closeList(): IncompleteList | undefined {
  const { area, ownHeight, styles, pageTop, rows } = openList();
  const total = area.scrollHeight;
  const missing = missingHeight([...rows.values()].flat(), { total, minGap: ownHeight });
  const element = elementPath(area);
  area.scrollTop = 0;
  for (const name of Object.keys(releaseStyles(area))) area.style.removeProperty(name);
  keepImportantStyles(area, styles);
  for (const [container, found] of rows) showRows(container, found);
  globalThis.scrollTo({ top: pageTop, behavior: 'instant' });
  // `undrawnContent` counts the rows of grids, and describes lists of which nothing was collected.
  const isReported = rows.size > 0 && missing > 0 && gridOf(area) === undefined;
  return isReported ? { element, drawn: Math.round(total - missing), total } : undefined;
}

/** Returns the height of the gaps between rows that are taller than the visible part of the list. */
function missingHeight(
  rows: readonly ListRow[],
  { total, minGap }: { readonly total: number; readonly minGap: number },
): number {
  let end = 0;
  let missing = 0;
  const addGap = (top: number) => {
    if (top - end > minGap) missing += top - end;
  };
  for (const { top, height, isBlank: isEmpty } of rows.toSorted((one, other) => one.top - other.top)) {
    if (isEmpty) continue;
    addGap(top);
    end = Math.max(end, top + height);
  }
  addGap(total);
  return missing;
}

function openList(): OpenList {
  const open = (globalThis as ListGlobals).platenVirtualLists?.open;
  if (open === undefined) throw new Error('No virtual list is open.');
  return open;
}

/** Gives the area a height and scrolls the window to it, because some lists draw nothing outside the window. */
function showWithHeight(area: HTMLElement, height: number): void {
  keepImportantStyles(area, {
    height: `${height}px`,
    'min-height': '0',
    'max-height': 'none',
    flex: 'none',
    'overflow-y': 'auto',
    'box-sizing': 'content-box',
  });
  area.scrollIntoView({ block: 'start', behavior: 'instant' });
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      // Frameworks draw in a task after the event.
      setTimeout(resolve);
    });
  });
}

function stateOf(area: HTMLElement): ListStep {
  const { scrollTop: top, clientHeight: height, scrollHeight: total } = area;
  // Infinity is not JSON.
  const drawn = Math.max(0, contentEnd(area) - area.getBoundingClientRect().top - area.clientTop + top);
  return { top, height, total, drawn };
}

function isBlank(element: Element): boolean {
  return !/\S/.test(element.textContent) && element.querySelector(pictures) === null;
}

/**
 * Returns the elements whose children the list has added or moved while it was scrolled, below each other. Of elements inside each
 * other, returns the outermost.
 */
function rowContainers(area: HTMLElement, changes: readonly MutationRecord[]): HTMLElement[] {
  const changed = new Map<Element, Set<Element>>();
  const add = (child: Node) => {
    const parent = child.parentElement;
    if (parent === null || child.nodeType !== Node.ELEMENT_NODE || !area.contains(parent)) return;
    const children = changed.get(parent) ?? new Set();
    changed.set(parent, children.add(child as Element));
  };
  for (const { type, target, addedNodes } of changes)
    if (type === 'attributes') add(target);
    else addedNodes.forEach(add);
  const containers = [...changed].filter(([, rows]) => isColumn([...rows], area)).map(([element]) => element);
  return containers.filter(
    (container) => !containers.some((other) => other !== container && other.contains(container)),
  ) as HTMLElement[];
}

function isColumn(rows: readonly Element[], area: HTMLElement): boolean {
  const boxes = rows.map((row) => row.getBoundingClientRect());
  const tops = boxes
    .filter(({ height }) => height > 0 && height < area.clientHeight * 0.9)
    .map(({ top }) => Math.round(top));
  return new Set(tops).size > 1;
}

/** Shows the collected rows in a copy of their container. The list may continue to draw in the container, which is hidden. */
function showRows(container: HTMLElement, collected: readonly ListRow[]): void {
  const rows = collected
    .toSorted((one, other) => one.top - other.top || one.left - other.left)
    .filter((row) => !row.isBlank || isGap(row, collected));
  const copy = container.cloneNode(false) as HTMLElement;
  copy.append(...rows.map(({ clone }) => clone));
  container.after(copy);
  setImportantStyles(copy, {
    transform: 'none',
    'padding-bottom': '0',
    'margin-bottom': '0',
    'max-height': 'none',
    overflow: 'visible',
  });
  keepImportantStyles(container, { display: 'none' });
  moveArea(container, copy);
  if (!rows.some((row) => row.isPositioned)) setImportantStyles(copy, { height: 'auto', 'min-height': '0' });
  else if (isStack(rows)) stackRows(copy, rows);
  else placeRows(copy, rows);
}

/** Returns whether each row is below the one before. */
function isStack(rows: readonly ListRow[]): boolean {
  return rows.every((row, index) => {
    const before = rows[index - 1];
    return before === undefined || row.top >= before.top + before.height - tolerancePixels;
  });
}

/** Puts positioned rows into the flow, where a page break moves a row as a whole. */
function stackRows(copy: HTMLElement, rows: readonly ListRow[]): void {
  setImportantStyles(copy, { display: 'block', height: 'auto', 'min-height': '0', 'padding-top': '0' });
  let end = 0;
  for (const { clone, top, left, width, height } of rows) {
    setImportantStyles(clone, {
      position: 'relative',
      inset: 'auto',
      margin: `${Math.max(0, top - end)}px 0 0 ${left}px`,
      width: `${width}px`,
      height: `${height}px`,
      transform: 'none',
      'box-sizing': 'border-box',
      'break-inside': 'avoid',
    });
    end = Math.max(end, top + height);
  }
}

function placeRows(copy: HTMLElement, rows: readonly ListRow[]): void {
  const end = rows.reduce((last, { top, height }) => Math.max(last, top + height), 0);
  const { position } = getComputedStyle(copy);
  setImportantStyles(copy, { height: `${end}px`, ...(position === 'static' && { position: 'relative' }) });
  for (const { clone, top, left, width, height } of rows)
    setImportantStyles(clone, {
      position: 'absolute',
      inset: 'auto',
      top: `${top}px`,
      left: `${left}px`,
      width: `${width}px`,
      height: `${height}px`,
      transform: 'none',
      'box-sizing': 'border-box',
    });
}

/** Replaces an expanded area by its copy. */
function moveArea(area: HTMLElement, copy: HTMLElement): void {
  const { platenExpanded: expanded, platenVirtualLists: lists } = globalThis as ListGlobals;
  lists?.handled.add(copy);
  const state = expanded?.get(area);
  if (expanded === undefined || state === undefined) return;
  expanded.delete(area);
  expanded.set(copy, state);
}

/** Returns whether a row without content is a row of the list, and not one that takes the place of rows that are not drawn. */
function isGap({ top, height }: ListRow, collected: readonly ListRow[]): boolean {
  return !collected.some(
    (row) =>
      !row.isBlank &&
      row.top < top + height - tolerancePixels &&
      row.top + row.height > top + tolerancePixels,
  );
}
