/** Reads a page's active @page rules from its style sheets. */
import type { PageMargin, PageRule, PageRules } from '../../job/page-rule-paper.ts';

interface RuleReading {
  readonly rules: PageRule[];
  /** Full names of the cascade layers, in order of first appearance (CSS Cascade 5, 6.4.3). */
  readonly layers: string[];
  /** The number of style sheets of other origins, which are not readable. */
  unreadable: number;
}

export function readPageRules(): PageRules {
  const reading: RuleReading = { rules: [], layers: [], unreadable: 0 };
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) addSheet(reading, sheet);
  const { rules, unreadable } = reading;
  // A script may have removed the root.
  const root = document.querySelector('body, :root');
  const style = root === null ? undefined : getComputedStyle(root);
  const hasNames = rules.some(({ selector }) => selector !== '' && !selector.startsWith(':'));
  return {
    rules,
    unreadable,
    firstPage: hasNames ? firstPageName() : '',
    vertical: style !== undefined && !style.writingMode.startsWith('horizontal'),
    rightToLeft: style?.direction === 'rtl',
  };
}

function isActive(media: MediaList): boolean {
  return media.length === 0 || matchMedia(media.mediaText).matches;
}

function addSheet(reading: RuleReading, sheet: CSSStyleSheet, layer?: string): void {
  if (sheet.disabled || !isActive(sheet.media)) return;
  let list: CSSRuleList;
  try {
    list = sheet.cssRules;
  } catch {
    reading.unreadable += 1;
    return;
  }
  addRules(reading, list, layer);
}

function addRules(reading: RuleReading, list: CSSRuleList, layer: string | undefined): void {
  for (const rule of list) {
    if (rule instanceof CSSPageRule) addPageRule(reading, rule, layer);
    else if (rule instanceof CSSMediaRule) {
      if (isActive(rule.media)) addRules(reading, rule.cssRules, layer);
    } else if (rule instanceof CSSSupportsRule) {
      if (CSS.supports(rule.conditionText)) addRules(reading, rule.cssRules, layer);
    } else if (rule instanceof CSSLayerBlockRule)
      addRules(reading, rule.cssRules, registerLayer(reading, rule.name, layer));
    else if (rule instanceof CSSLayerStatementRule) {
      for (const name of rule.nameList) registerLayer(reading, name, layer);
    } else if (rule instanceof CSSImportRule) addImport(reading, rule, layer);
  }
}

function addImport(reading: RuleReading, rule: CSSImportRule, layer: string | undefined): void {
  if (!isActive(rule.media)) return;
  if (rule.supportsText !== null && !CSS.supports(rule.supportsText)) return;
  const importLayer = rule.layerName === null ? layer : registerLayer(reading, rule.layerName, layer);
  if (rule.styleSheet !== null) addSheet(reading, rule.styleSheet, importLayer);
}

function registerLayer({ layers }: RuleReading, name: string, parent: string | undefined): string {
  const layerName = name === '' ? `(${layers.length})` : name;
  const full = parent === undefined ? layerName : `${parent}.${layerName}`;
  if (!layers.includes(full)) layers.push(full);
  return full;
}

const sides = ['top', 'right', 'bottom', 'left'] as const;

/** As many rules decide the paper. The main thread compares the pages of each selector (job/page-rule-paper.ts). */
const maxRules = 500;
const maxSelectorLength = 200;

function addPageRule({ rules, layers }: RuleReading, rule: CSSPageRule, layer: string | undefined): void {
  if (rules.length >= maxRules) return;
  const { selectorText, style } = rule;
  const size = sizeOf(style.getPropertyValue('size'));
  const margins: Record<string, PageMargin> = {};
  for (const side of sides) {
    const margin = marginOf(style.getPropertyValue(`margin-${side}`));
    if (margin !== undefined) margins[side] = margin;
  }
  const isImportant = (property: string) => style.getPropertyPriority(property) !== '';
  const important = [
    ...(isImportant('size') ? ['size'] : []),
    ...sides.filter((side) => isImportant(`margin-${side}`)),
  ];
  for (const selector of selectorText.split(',').slice(0, maxRules - rules.length))
    rules.push({
      selector: selector.trim().slice(0, maxSelectorLength),
      ...(layer !== undefined && { layer: layers.indexOf(layer) }),
      ...(size !== undefined && { size }),
      margins,
      important,
    });
}

/**
 * Returns the keywords of a `size` value, and its lengths in CSS pixels. Returns undefined if the value is empty, or if a length
 * depends on the page size.
 */
function sizeOf(text: string): (string | number)[] | undefined {
  const parts = text.match(/(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];
  const read = parts.map((part) => (/^[a-z][a-z0-9-]*$/i.test(part) ? part : pixelsOf(part)));
  const sizes = read.filter((part) => part !== undefined);
  return sizes.length === 0 || sizes.length < read.length ? undefined : sizes;
}

/** Returns undefined if there is no margin, or if it depends on more than lengths and the size of the paper. */
function marginOf(text: string): PageMargin | undefined {
  if (text === '' || text === 'auto') return undefined;
  try {
    const sum = CSSNumericValue.parse(text).toSum('px', 'percent', 'em', 'rem');
    const [px = 0, percent = 0, em = 0, rem = 0] = [...sum.values].map(
      (part) => (part as CSSUnitValue).value,
    );
    return { pixels: px + (em + rem) * pixelsPerEm, percent };
  } catch {
    return undefined;
  }
}

/** The length of 1em in @page rules in Chromium, in CSS pixels. */
const pixelsPerEm = 16;

/** Returns a length in CSS pixels; undefined if it cannot be converted, for example because it depends on the page size. */
function pixelsOf(text: string): number | undefined {
  const em = /^(-?[\d.]+)r?em$/.exec(text);
  if (em !== null) return Number(em[1]) * pixelsPerEm;
  try {
    return CSSNumericValue.parse(text).to('px').value;
  } catch {
    return undefined;
  }
}

const maxDepth = 50;

/**
 * Returns the page name of the first page, which is the `page` value of the first box in the document (CSS Paged Media 3, 3.4.1).
 * Returns an empty string if there is none.
 */
function firstPageName(): string {
  let name = '';
  let element = document.documentElement as Element | null;
  for (let depth = 0; element !== null && depth < maxDepth; depth += 1) {
    const page: string = getComputedStyle(element).getPropertyValue('page');
    if (page !== '' && page !== 'auto') name = page;
    const children: readonly (Element | null)[] =
      element === document.documentElement ? [document.body] : [...element.children];
    element = children.find((child) => child !== null && isInFlow(child)) ?? null;
  }
  return name;
}

function isInFlow(element: Element): boolean {
  const { display, position, float } = getComputedStyle(element);
  return display !== 'none' && position !== 'absolute' && position !== 'fixed' && float === 'none';
}
