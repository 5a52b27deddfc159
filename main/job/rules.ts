/** Checks that need more than one option, or a limit of the operator's. */
import type { OptionName, Options } from './options.ts';
import type { Problem } from './problem.ts';
import { changesPaper, pagesOfSetup, setupOfSelector } from './page-setup.ts';
import { geometryFor, printAreaOf, type PageGeometry } from './paper.ts';
import { isImage } from './job.ts';

export interface Limits {
  /** The job limit in milliseconds. Waiting may take two thirds of it. */
  readonly jobTimeout: number;
  /** The caller is a program written for the public twin. */
  readonly twin?: boolean;
}

type Rule = (options: Options, given: ReadonlySet<OptionName>, limits: Limits) => string | undefined;

/** The problems of options that are each sound by themselves. */
export function brokenRules(options: Options, given: ReadonlySet<OptionName>, limits: Limits): Problem[] {
  return rules
    .map((rule) => rule(options, given, limits))
    .filter((sentence) => sentence !== undefined)
    .map((sentence) => ({ kind: 'valueNotAllowed', sentence }));
}

/** Milliseconds that javascript_delay and wait_for_element may each take. */
export function longestWait(limits: Limits): number {
  return Math.floor((limits.jobTimeout * 2) / 3);
}

const rules: readonly Rule[] = [
  paperWithinBounds,
  roomOnThePaper,
  contentAreaWithinBounds,
  setUpOfKnownPages,
  delayWithinLimit,
  dataForTemplate,
];

/** 7.2pt are a tenth of an inch, less a bit of the last binary digit. */
const rounding = 1e-9;
const smallest = 0.1 - rounding;
const largest = 200 + rounding;

/** Chromium's paper ends at 200 inches, the page limit of PDF 1.4 viewers; below a tenth of an inch nothing can be set. */
function paperWithinBounds(options: Options): string | undefined {
  const wrong = (['page_width', 'page_height'] as const).filter((name) => {
    const inches = options[name];
    return typeof inches === 'number' && (inches < smallest || inches > largest);
  });
  return wrong.length === 0 ? undefined : `${wrong.join(' and ')} must be from 0.1in to 200in`;
}

/** At least a tenth of an inch must be left to print on, on every page. */
function roomOnThePaper(options: Options): string | undefined {
  if (isImage(options) || paperWithinBounds(options) !== undefined) return undefined;
  const setups = options.conversion_config ?? [];
  const named = setups.map((setup, index) => ({
    geometry: geometryFor({ ...options, conversion_config: undefined }, setup),
    where: ` of pageSetup[${index}]`,
  }));
  const merged = (['', ':right', ':left', ':first'] as const).map((selector) => ({
    geometry: geometryFor(options, setupOfSelector(options, selector)),
    where: ' with conversion_config',
  }));
  const all = [{ geometry: geometryFor(options), where: '' }, ...named, ...merged];
  const grows = options.page_height === 'content';
  return all
    .map(({ geometry, where }) => lackOfRoom(geometry, where, grows))
    .find((lack) => lack !== undefined);
}

function lackOfRoom(geometry: PageGeometry, where: string, grows: boolean): string | undefined {
  const { paper, header, footer } = geometry;
  const area = printAreaOf(geometry);
  if ([paper.width, paper.height].some((side) => side < smallest || side > largest))
    return `the paper${where} must be from 0.1in to 200in wide and high`;
  if (area.width < smallest)
    return `margin_left and margin_right${where} leave no room on paper ${paper.width.toFixed(2)}in wide; make them smaller, or page_width or page_size larger`;
  if (area.height >= smallest || (grows && paper.height - area.height < 199)) return undefined;
  const strips = [...(header > 0 ? ['header_height'] : []), ...(footer > 0 ? ['footer_height'] : [])];
  const takers = ['margin_top', 'margin_bottom', ...strips];
  const list = `${takers.slice(0, -1).join(', ')} and ${takers.at(-1) ?? ''}`;
  return `${list}${where} leave no room on paper ${paper.height.toFixed(2)}in high; make them smaller, or page_height or page_size larger`;
}

function contentAreaWithinBounds(options: Options): string | undefined {
  const wrong = (['content_area_width', 'content_area_height'] as const).filter((name) => {
    const inches = options[name];
    return inches !== undefined && (inches < smallest || inches > largest);
  });
  return wrong.length === 0 ? undefined : `${wrong.join(' and ')} must be from 0.1in to 200in`;
}

/** Chromium sets pages up before it knows what is on them, so only these can have paper and margins of their own. */
function setUpOfKnownPages(options: Options): string | undefined {
  const wrong = (options.conversion_config ?? []).findIndex(
    (setup) => changesPaper(setup) && pagesOfSetup(setup) === undefined,
  );
  return wrong < 0
    ? undefined
    : `paper, margins and heights in pageSetup[${wrong}] of conversion_config can be set for pages 1, odd, even or all (1-); other pages can have displayHeader and displayFooter (content or space) and backgroundColor`;
}

function dataForTemplate(options: Options): string | undefined {
  const { data_file, data_string, file, url } = options;
  if (data_file === undefined && data_string === undefined) return undefined;
  const byAddress = url !== undefined && file === undefined;
  return byAddress
    ? 'data fills a template sent as file or text, not a page at a url; send one of those'
    : undefined;
}

function delayWithinLimit(options: Options, _: ReadonlySet<OptionName>, limits: Limits): string | undefined {
  const longest = longestWait(limits);
  if (options.javascript_delay === undefined || options.javascript_delay <= longest) return undefined;
  return `the value '${options.javascript_delay}' of javascript_delay is not allowed; allowed: at most ${longest} (milliseconds, two thirds of the job limit)`;
}
