/** Decides whether a page is printed on the paper of its @page rules, and how the page is then laid out. */
import { contentAreaFor, pixelsPerInch, setsPaper, setupOfSelector } from './layout.ts';
import type { PageSetup } from './conversion-config.ts';
import type { OptionName, Options } from './options.ts';
import { geometryFor, hasHeaderFooter, type Margins, type Paper } from './paper.ts';
import type { Inches } from '../fields/kinds.ts';
import { paperSizes } from './option-kinds.ts';

export interface PageRulePaper {
  /** The options, with the paper and the margins of the page's rules. */
  readonly options: Options;
  /** The paper and the margins of pages without rules. */
  readonly defaultPage: { readonly paper: Paper; readonly margins: Margins };
  /** Whether Chromium can apply the rules to each page itself. */
  readonly isNative: boolean;
  /** The exact print scale. The layout width is a whole number of pixels, so a scale computed from it would be approximate. */
  readonly scale?: number;
  /** Whether the request contains css_page_rule_mode=mode2. */
  readonly isRequested: boolean;
  /** Whether the rules set a size. */
  readonly setsSize: boolean;
  /** Whether the pages differ in paper or margins. */
  readonly varies: boolean;
  /** The paper of each rule that sets one; empty unless one of the rules sets only the orientation. */
  readonly sizes: readonly { readonly selector: string; readonly paper: Paper }[];
  /** The boxes of all pages, if the pages have a header or footer. They replace the rules of the page. */
  readonly boxes?: readonly PageRuleBox[];
  /** Whether the first page is a left page. */
  readonly isFirstPageLeft: boolean;
  /** Whether the writing mode is vertical. */
  readonly vertical: boolean;
}

const paperOptions: readonly OptionName[] = [
  'page_size',
  'page_width',
  'page_height',
  'orientation',
  'no_margins',
  'margin_top',
  'margin_right',
  'margin_bottom',
  'margin_left',
];

/** Returns whether the page's @page rules can have an effect. If not, they need not be read. */
export function mayFollowPageRules(options: Options, givenOptions: ReadonlySet<OptionName>): boolean {
  if (options.output_format !== 'pdf' || options.css_page_rule_mode === 'mode1') return false;
  return options.css_page_rule_mode === 'mode2' || !callerSetsPaper(options, givenOptions);
}

function callerSetsPaper(options: Options, givenOptions: ReadonlySet<OptionName>): boolean {
  return (
    givenOptions.has('css_page_rule_mode') ||
    paperOptions.some((name) => givenOptions.has(name)) ||
    (options.conversion_config ?? []).some(setsPaper)
  );
}

/** Returns the paper according to the page's @page rules, or undefined if the page is printed on the paper of the options. */
export function paperFromPageRules(
  options: Options,
  givenOptions: ReadonlySet<OptionName>,
  pageRules: PageRules,
): PageRulePaper | undefined {
  if (!mayFollowPageRules(options, givenOptions) || pageRules.rules.length === 0) return undefined;
  const isRequested = options.css_page_rule_mode === 'mode2';
  const defaultPage = isRequested ? fallbackPage(options) : geometryFor(options);
  const base = basePage(pageRules, defaultPage);
  const boxes = pageBoxes(pageRules, options, isRequested);
  const varies = boxes.some((box) => !hasEqualSize(box, base));
  const setsSize =
    base.setsSize || pageRules.rules.some(({ size }) => size !== undefined && size.join() !== 'auto');
  if (!isRequested && !setsSize) return undefined;
  const ruledOptions: Options = {
    ...options,
    page_width: base.paper.width,
    page_height: options.page_height === 'content' ? 'content' : base.paper.height,
    orientation: 'portrait',
    no_margins: false,
    margin_top: base.margins.top,
    margin_right: base.margins.right,
    margin_bottom: base.margins.bottom,
    margin_left: base.margins.left,
    // With mode2, headers and footers are printed inside the page's margins.
    ...(isRequested && {
      header_height: 0,
      footer_height: 0,
      content_area_x: 0,
      content_area_y: 0,
      content_area_width: undefined,
      content_area_height: undefined,
    }),
  };
  const setsContentArea = (['x', 'y', 'width', 'height'] as const).some((name) =>
    givenOptions.has(`content_area_${name}`),
  );
  const hasHeadersOrFooters = hasHeaderFooter(options, 'header') || hasHeaderFooter(options, 'footer');
  const onlyRulesMatter = isRequested || !(setsContentArea || (hasHeadersOrFooters && !varies));
  // The boxes would also replace rules that scripts cannot read. Only with mode2 do those rules apply.
  const replacesRules = hasHeadersOrFooters && !(isRequested && pageRules.unreadable > 0);
  return {
    ...applyLayout(ruledOptions, { options, givenOptions, setsSize }),
    defaultPage: { paper: defaultPage.paper, margins: defaultPage.margins },
    isNative: onlyRulesMatter && options.page_height !== 'content',
    sizes: resolvedSizes(pageRules, defaultPage.paper),
    ...(replacesRules && { boxes }),
    isFirstPageLeft: pageRules.rightToLeft,
    vertical: pageRules.vertical,
    isRequested,
    setsSize,
    varies,
  };
}

/** Returns the paper and the margins of pages to which no rule applies. The margins include the header and the footer. */
function fallbackPage(options: Options, setup?: PageSetup): PageRulePaper['defaultPage'] {
  if (setup !== undefined) {
    const { paper, margins, header, footer } = geometryFor(options, setup);
    return { paper, margins: { ...margins, top: margins.top + header, bottom: margins.bottom + footer } };
  }
  const { top, right, bottom, left } = contentAreaFor(options);
  const margins = {
    top: Math.max(0, top),
    right: Math.max(0, right),
    bottom: Math.max(0, bottom),
    left: Math.max(0, left),
  };
  return { paper: geometryFor(options).paper, margins };
}

interface CallerOptions {
  readonly options: Options;
  readonly givenOptions: ReadonlySet<OptionName>;
  readonly setsSize: boolean;
}

/**
 * Sets the layout width and the print scale. If the rules set a size, a CSS pixel is 1/96 inch, unless the request contains
 * content_viewport_width. That width fills the print area of the paper in the request, or, if the request names no paper, of the
 * paper in the rules.
 */
function applyLayout(
  ruledOptions: Options,
  { options, givenOptions, setsSize }: CallerOptions,
): Pick<PageRulePaper, 'options' | 'scale'> {
  const zoom = options.scale_factor / 100;
  const width = options.content_viewport_width;
  const area = contentAreaFor(ruledOptions).width;
  if (width === 'balanced') return { options: ruledOptions, scale: zoom };
  if (setsSize && !givenOptions.has('content_viewport_width'))
    return { options: { ...ruledOptions, content_viewport_width: area * pixelsPerInch }, scale: zoom };
  if (setsSize && !paperOptions.some((name) => givenOptions.has(name))) return { options: ruledOptions };
  const requestedArea = contentAreaFor(options).width;
  return {
    options: { ...ruledOptions, content_viewport_width: (width * area) / requestedArea },
    scale: (requestedArea * pixelsPerInch * zoom) / width,
  };
}

// The boxes of pages with headers or footers (decision 70).

/** The paper, margins, header and footer of the pages that a selector matches. */
export interface PageRuleBox {
  /** A CSS page selector: the name of the page, if it has one, and its position. */
  readonly selector: string;
  readonly position: PagePosition;
  readonly paper: Paper;
  /** The distances from the edges of the paper to the header, the footer and the content beside them. */
  readonly margins: Margins;
  /** The space that the header and the footer take from the content. */
  readonly header: Inches;
  readonly footer: Inches;
  /** The width of the printed page. A page can be printed wider than its paper, so that its width identifies its box. */
  readonly printedWidth: Inches;
}

/** The position of a page, as a CSS page selector. The first page matches `:left` or `:right` as well. */
export type PagePosition = (typeof pagePositions)[number];

export const pagePositions = [':first', ':right', ':left'] as const;

/** Returns the box of each combination of a page name and a position. */
function pageBoxes(pageRules: PageRules, options: Options, isRequested: boolean): PageRuleBox[] {
  const rules = pageRules.rules.map(parsedRule);
  const names = new Set(['', ...rules.map(({ name }) => name)]);
  return pagePositions.flatMap((position) => {
    const firstSide = pageRules.rightToLeft ? ':left' : ':right';
    const pseudoClasses = position === ':first' ? [position, firstSide] : [position];
    const winners = winningRules(rules, pseudoClasses);
    const setup = setupOfSelector(options, position);
    const geometry = geometryFor(options, setup);
    const fallback = isRequested ? fallbackPage(options, setup) : geometry;
    const boxes = [...names].map((name) => {
      const { paper, margins } = ruledPage(winners, name, fallback);
      const page = { selector: `${name}${position}`, position, paper, margins };
      return isRequested ? { ...page, header: 0, footer: 0 } : { ...page, ...spaceIn(page, geometry) };
    });
    return withPrintedWidths(boxes);
  });
}

/** Returns the heights of the header and the footer, which are 0 if they leave less than a pixel for content. */
function spaceIn(
  { paper, margins }: Pick<RuledPage, 'paper' | 'margins'>,
  { header, footer }: { readonly header: Inches; readonly footer: Inches },
): Pick<PageRuleBox, 'header' | 'footer'> {
  const height = paper.height - margins.top - margins.bottom - header - footer;
  return height * pixelsPerInch < 1 ? { header: 0, footer: 0 } : { header, footer };
}

/** Two points, because Chromium rounds the width of a page by almost one point. */
export const printedWidthStep = 2 / 72;

/** Adds widths that differ by a step or more, unless boxes are equal. Of boxes with the same width, the first keeps it. */
function withPrintedWidths(boxes: readonly Omit<PageRuleBox, 'printedWidth'>[]): PageRuleBox[] {
  const widths = new Map<string, Inches>();
  let last = 0;
  const keyed = boxes.map((box) => {
    const { paper, margins, header, footer } = box;
    const { top, right, bottom, left } = margins;
    return { box, key: [paper.width, paper.height, top, right, bottom, left, header, footer].join(' ') };
  });
  for (const { box, key } of keyed.toSorted((one, other) => one.box.paper.width - other.box.paper.width)) {
    if (widths.has(key)) continue;
    last = Math.max(box.paper.width, last + printedWidthStep);
    widths.set(key, last);
  }
  return keyed.map(({ box, key }) => ({ ...box, printedWidth: widths.get(key) ?? box.paper.width }));
}

function hasEqualSize(box: PageRuleBox, page: RuledPage): boolean {
  return (
    box.paper.width === page.paper.width &&
    box.paper.height === page.paper.height &&
    sides.every((side) => box.margins[side] === page.margins[side])
  );
}

// Applies the @page rules of a page to its paper and margins (CSS Paged Media 3).

const sides = ['top', 'right', 'bottom', 'left'] as const;

type Side = (typeof sides)[number];

/** One @page rule with one selector, as declared; lengths in CSS pixels. */
export interface PageRule {
  readonly selector: string;
  /** Position of the rule's cascade layer. Undefined for a rule outside all layers, which overrides layered rules. */
  readonly layer?: number;
  /** One or two lengths, or keywords. */
  readonly size?: readonly (string | number)[];
  readonly margins: Readonly<Partial<Record<Side, PageMargin>>>;
  /** The declarations with !important: `size`, or sides of the margins. */
  readonly important: readonly string[];
}

/** The sum of a length and a percentage of the paper. */
export interface PageMargin {
  readonly pixels: number;
  readonly percent: number;
}

export interface PageRules {
  readonly rules: readonly PageRule[];
  /** The name of the first page (the `page` property); '' when it has none. */
  readonly firstPage: string;
  /** Number of style sheets from other origins, whose rules scripts cannot read. */
  readonly unreadable: number;
  /** Whether the writing mode is vertical, so that pages follow each other horizontally. */
  readonly vertical: boolean;
  /** Whether the direction of the root is right to left, so that the first page is a left page. */
  readonly rightToLeft: boolean;
}

/** The result of applying the rules to a page. */
interface RuledPage {
  readonly paper: Paper;
  readonly margins: Margins;
  /** Whether a rule sets the page's size. */
  readonly setsSize: boolean;
}

/** The size names that Chromium knows, in portrait orientation. */
const namedSizes: Readonly<Record<string, Paper>> = {
  a3: paperSizes.A3,
  a4: paperSizes.A4,
  a5: paperSizes.A5,
  letter: paperSizes.Letter,
  legal: paperSizes.Legal,
  ledger: paperSizes.Tabloid,
  b4: { width: 250 / 25.4, height: 353 / 25.4 },
  b5: { width: 176 / 25.4, height: 250 / 25.4 },
  'jis-b4': { width: 257 / 25.4, height: 364 / 25.4 },
  'jis-b5': { width: 182 / 25.4, height: 257 / 25.4 },
};

/** Returns the paper and the margins of the base page. Pages that `:first`, `:left` or `:right` match may differ. */
export function basePage(
  { rules, firstPage }: PageRules,
  fallback: Pick<RuledPage, 'paper' | 'margins'>,
): RuledPage {
  return ruledPage(winningRules(rules.map(parsedRule), []), firstPage, fallback);
}

type Property = 'size' | Side;

/** A rule with the parts of its selector. */
interface ParsedRule extends PageRule {
  /** The page name, or ''. */
  readonly name: string;
  readonly pseudoClasses: readonly string[];
  /** The specificity of the selector as one number (CSS Paged Media 3, 3.3). */
  readonly specificity: number;
}

function parsedRule(rule: PageRule): ParsedRule {
  // A name may contain an escaped colon.
  const [name = '', ...words] = rule.selector.split(/(?<!\\):/);
  const pseudoClasses = words.map((word) => `:${word}`);
  const sideCount = pseudoClasses.filter((pseudo) => pseudo === ':left' || pseudo === ':right').length;
  const specificity = (name === '' ? 0 : 1e6) + (pseudoClasses.length - sideCount) * 1e3 + sideCount;
  return { ...rule, name, pseudoClasses, specificity };
}

/** For each property, the rules that win among those with the same page name, by that name. */
type WinningRules = Readonly<Record<Property, ReadonlyMap<string, ParsedRule>>>;

/** Applies the cascade to pages that these pseudo-classes match. */
function winningRules(rules: readonly ParsedRule[], pseudoClasses: readonly string[]): WinningRules {
  const applicable = rules.filter((rule) =>
    rule.pseudoClasses.every((pseudoClass) => pseudoClasses.includes(pseudoClass)),
  );
  const winners = (property: Property) => {
    const byName = new Map<string, ParsedRule>();
    for (const rule of applicable) {
      if (valueOf(rule, property) === undefined) continue;
      const winner = byName.get(rule.name);
      if (winner === undefined || comparePrecedence(rule, winner, property) >= 0) byName.set(rule.name, rule);
    }
    return byName;
  };
  return {
    size: winners('size'),
    top: winners('top'),
    right: winners('right'),
    bottom: winners('bottom'),
    left: winners('left'),
  };
}

function valueOf({ size, margins }: PageRule, property: Property): unknown {
  return property === 'size' ? size : margins[property];
}

/**
 * Returns the paper and the margins that the rules set for pages with a name. Like Chromium, ignores rules that leave less than a
 * pixel for content.
 */
function ruledPage(
  winners: WinningRules,
  name: string,
  fallback: Pick<RuledPage, 'paper' | 'margins'>,
): RuledPage {
  const winner = (property: Property) => {
    const general = winners[property].get('');
    const named = winners[property].get(name);
    if (general === undefined || named === undefined) return general ?? named;
    return comparePrecedence(named, general, property) >= 0 ? named : general;
  };
  const size = winner('size')?.size;
  const paper = size === undefined ? fallback.paper : (paperOf(size, fallback.paper) ?? fallback.paper);
  const margin = (side: Side, paperSide: Inches): Inches => {
    const value = winner(side)?.margins[side];
    if (value === undefined) return fallback.margins[side];
    return value.pixels / pixelsPerInch + (value.percent / 100) * paperSide;
  };
  const margins = {
    top: margin('top', paper.height),
    right: margin('right', paper.width),
    bottom: margin('bottom', paper.height),
    left: margin('left', paper.width),
  };
  const width = paper.width - margins.left - margins.right;
  const height = paper.height - margins.top - margins.bottom;
  if (Math.min(width, height) * pixelsPerInch < 1) return { ...fallback, setsSize: false };
  return { paper, margins, setsSize: size !== undefined && size.join() !== 'auto' };
}

/** Compares rules by their precedence in the cascade, without their order in the page. */
function comparePrecedence(left: ParsedRule, right: ParsedRule, property: Property): number {
  return compareStrength(left, right, property) || left.specificity - right.specificity;
}

/**
 * Returns the paper of all rules that set one, the strongest last. Empty unless one of the rules sets only the orientation:
 * only such a relative size must be resolved for Chromium.
 */
function resolvedSizes(
  { rules }: PageRules,
  paper: Paper,
): { readonly selector: string; readonly paper: Paper }[] {
  const isRelative = ({ size = [] }: PageRule) =>
    size.length === 1 && relativeSizes.includes(String(size[0]));
  if (!rules.some(isRelative)) return [];
  return byStrength(rules, 'size').flatMap(({ selector, size }) => {
    const resolved = size && paperOf(size, paper);
    return resolved === undefined ? [] : [{ selector, paper: resolved }];
  });
}

/** Sorts rules by strength, then by order in the page; the strongest last. */
function byStrength(rules: readonly PageRule[], name: string): PageRule[] {
  return rules.toSorted((left, right) => compareStrength(left, right, name));
}

/** Compares rules by importance, then by layer (CSS Cascade 5, 6.1). */
function compareStrength(left: PageRule, right: PageRule, name: string): number {
  const isImportant = left.important.includes(name);
  const importance = Number(isImportant) - Number(right.important.includes(name));
  const layers = (left.layer ?? unlayered) - (right.layer ?? unlayered);
  return importance || (isImportant ? -layers : layers);
}

const unlayered = 1e9;

const relativeSizes = ['auto', 'portrait', 'landscape'];

function paperOf(size: readonly (string | number)[], fallback: Paper): Paper | undefined {
  const [first, second] = size.filter((part) => typeof part === 'number');
  if (first !== undefined) return { width: first / pixelsPerInch, height: (second ?? first) / pixelsPerInch };
  const words = size.map((part) => String(part).toLowerCase());
  const namedSize = words.map((word) => namedSizes[word]).find((paper) => paper !== undefined);
  const { width, height } = namedSize ?? fallback;
  const short = Math.min(width, height);
  const long = Math.max(width, height);
  if (words.includes('landscape')) return { width: long, height: short };
  if (words.includes('portrait')) return { width: short, height: long };
  if (namedSize !== undefined) return namedSize;
  return words.join() === 'auto' ? fallback : undefined;
}
