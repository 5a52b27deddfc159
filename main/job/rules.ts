/** Checks that need more than one option, or a limit of the operator's. */
import type { OptionName, Options } from './options.ts';
import type { Problem } from './problem.ts';
import { paperFor } from './paper.ts';

export interface Limits {
  /** The job limit in milliseconds. Waiting may take two thirds of it. */
  readonly jobTimeout: number;
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

const rules: readonly Rule[] = [paperWithinBounds, roomBetweenMargins, delayWithinLimit, dataForTemplate];

/** 7.2pt are a tenth of an inch, less a bit of the last binary digit. */
const rounding = 1e-9;

/** Chromium's paper ends at 200 inches, the page limit of PDF 1.4 viewers; below an inch nothing can be set. */
function paperWithinBounds(options: Options): string | undefined {
  const wrong = (['page_width', 'page_height'] as const).filter((name) => {
    const inches = options[name];
    return inches !== undefined && (inches < 0.1 - rounding || inches > 200 + rounding);
  });
  return wrong.length === 0 ? undefined : `${wrong.join(' and ')} must be from 0.1in to 200in`;
}

/** At least a tenth of an inch must be left to print on. */
function roomBetweenMargins(options: Options): string | undefined {
  if (options.output_format !== 'pdf') return undefined;
  const paper = paperFor(options);
  const width = paper.width - options.margin_left - options.margin_right;
  const height = paper.height - options.margin_top - options.margin_bottom;
  if (paperWithinBounds(options) !== undefined) return undefined;
  if (width < 0.1 - rounding) return tooWide('margin_left and margin_right', paper.width, 'page_width');
  if (height < 0.1 - rounding) return tooWide('margin_top and margin_bottom', paper.height, 'page_height');
  return undefined;
}

function tooWide(margins: string, inches: number, side: string): string {
  return `${margins} leave no room on paper ${inches.toFixed(2)}in across; make them smaller, or ${side} or page_size larger`;
}

function dataForTemplate(options: Options): string | undefined {
  const { data_file, data_string, file, url } = options;
  if (data_file === undefined && data_string === undefined) return undefined;
  if (data_file !== undefined && data_string !== undefined)
    return 'data_file and data_string were both given; give one';
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
