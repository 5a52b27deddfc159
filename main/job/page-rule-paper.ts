/** Decides whether a page is printed on the paper of its @page rules, and how the page is then laid out. */
import { contentAreaFor, pixelsPerInch, changesPaper } from './layout.ts';
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
    (options.conversion_config ?? []).some(changesPaper)
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
  const varies = differingSelectors(pageRules, defaultPage).length > 0;
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
  const onlyRulesMatter =
    isRequested ||
    !(setsContentArea || hasHeaderFooter(options, 'header') || hasHeaderFooter(options, 'footer'));
  return {
    ...applyLayout(ruledOptions, { options, givenOptions, setsSize }),
    defaultPage: { paper: defaultPage.paper, margins: defaultPage.margins },
    isNative: onlyRulesMatter && options.page_height !== 'content',
    sizes: resolvedSizes(pageRules, defaultPage.paper),
    vertical: pageRules.vertical,
    isRequested,
    setsSize,
    varies,
  };
}

/** Returns the paper and the margins of pages to which no rule applies. The margins include the header and the footer. */
function fallbackPage(options: Options): PageRulePaper['defaultPage'] {
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

// Applies the @page rules of a page to its paper and margins (CSS Paged Media 3).

type Side = keyof Margins;

/** One @page rule with one selector, as declared; lengths in CSS pixels. */
export interface PageRule {
  readonly selector: string;
  /** Position of the rule's cascade layer. Undefined for a rule outside all layers, which overrides layered rules. */
  readonly layer?: number;
  /** One or two lengths, or keywords. */
  readonly size?: readonly (string | number)[];
  /** A length, or a percentage of the paper. */
  readonly margins: Readonly<Partial<Record<Side, number | string>>>;
  /** The declarations with !important: `size`, or sides of the margins. */
  readonly important: readonly string[];
}

export interface PageRules {
  readonly rules: readonly PageRule[];
  /** The name of the first page (the `page` property); '' when it has none. */
  readonly firstPage: string;
  /** Number of style sheets from other origins, whose rules scripts cannot read. */
  readonly unreadable: number;
  /** Whether the writing mode is vertical, so that pages follow each other horizontally. */
  readonly vertical: boolean;
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
  return ruledPage(rules, ['', firstPage], fallback);
}

/**
 * Returns the paper and the margins that the rules with these selectors set. Like Chromium, ignores rules that leave less than a
 * pixel for content.
 */
function ruledPage(
  rules: readonly PageRule[],
  selectors: readonly string[],
  fallback: Pick<RuledPage, 'paper' | 'margins'>,
): RuledPage {
  const applicable = rules.filter(({ selector }) => selectors.includes(selector));
  const size = winningValue(applicable, 'size', (rule) => rule.size);
  const paper = size === undefined ? fallback.paper : (paperOf(size, fallback.paper) ?? fallback.paper);
  const margin = (side: Side, paperSide: Inches): Inches => {
    const value = winningValue(applicable, side, (rule) => rule.margins[side]);
    if (value === undefined) return fallback.margins[side];
    return typeof value === 'number' ? value / pixelsPerInch : (Number.parseFloat(value) / 100) * paperSide;
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

/** Returns the selectors whose pages differ from the base page in paper or margins. */
function differingSelectors(pageRules: PageRules, fallback: Pick<RuledPage, 'paper' | 'margins'>): string[] {
  const { rules, firstPage } = pageRules;
  const base = JSON.stringify(basePage(pageRules, fallback));
  const selectors = new Set(rules.map(({ selector }) => selector));
  return [...selectors].filter(
    (selector) =>
      selector !== firstPage && JSON.stringify(ruledPage(rules, ['', selector], fallback)) !== base,
  );
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

/** Returns the value that wins in the cascade, or undefined if no rule sets one. */
function winningValue<T>(
  rules: readonly PageRule[],
  name: string,
  valueOf: (rule: PageRule) => T | undefined,
): T | undefined {
  const specificity = ({ selector }: PageRule) => (selector === '' ? 0 : selector.startsWith(':') ? 1 : 2);
  let best: PageRule | undefined;
  for (const rule of rules) {
    if (valueOf(rule) === undefined) continue;
    const isWeaker =
      best !== undefined && (compareStrength(rule, best, name) || specificity(rule) - specificity(best)) < 0;
    if (!isWeaker) best = rule;
  }
  return best && valueOf(best);
}

/** Sorts rules by strength, then by order in the page; the strongest last. */
function byStrength(rules: readonly PageRule[], name: string): PageRule[] {
  return rules.toSorted((left, right) => compareStrength(left, right, name));
}

/** Compares rules by importance, then by layer (CSS Cascade 5, 6.1). */
function compareStrength(left: PageRule, right: PageRule, name: string): number {
  const strength = (rule: PageRule): readonly [number, number] => {
    const layer = rule.layer ?? 1e9;
    return rule.important.includes(name) ? [1, -layer] : [0, layer];
  };
  const [importance, layer] = strength(left);
  const [otherImportance, otherLayer] = strength(right);
  return importance - otherImportance || layer - otherLayer;
}

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
