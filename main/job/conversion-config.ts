/** Reads `conversion_config`: the setup of individual pages, as JSON. */
import { length, maxLengths, oneOf, type Inches, type Kind } from '../fields/kinds.ts';
import { colour, paperSizes, type PaperName } from './option-kinds.ts';
import { pageRange, type PageRange } from './page-range.ts';

/** How a header or footer appears on a page. none: omitted, including its space; space: empty space only; content: printed. */
export type Display = 'none' | 'space' | 'content';

/** Overrides of the options on some pages. */
export interface PageSetup {
  readonly pages?: PageRange;
  readonly pageSize?: PaperName;
  readonly pageWidth?: Inches;
  readonly pageHeight?: Inches;
  readonly marginTop?: Inches;
  readonly marginRight?: Inches;
  readonly marginBottom?: Inches;
  readonly marginLeft?: Inches;
  readonly displayHeader?: Display;
  readonly displayFooter?: Display;
  readonly headerHeight?: Inches;
  readonly footerHeight?: Inches;
  readonly orientation?: 'portrait' | 'landscape';
  readonly backgroundColor?: string;
}

const display = oneOf(['none', 'space', 'content']);

const memberKinds: { readonly [N in keyof Required<PageSetup>]: Kind<Required<PageSetup>[N]> } = {
  pages: pageRange,
  pageSize: oneOf(Object.keys(paperSizes) as PaperName[]),
  pageWidth: length,
  pageHeight: length,
  marginTop: length,
  marginRight: length,
  marginBottom: length,
  marginLeft: length,
  displayHeader: display,
  displayFooter: display,
  headerHeight: length,
  footerHeight: length,
  orientation: oneOf(['portrait', 'landscape']),
  backgroundColor: colour,
};

/** More than the pages of almost every document, and few enough to check in some milliseconds. */
const maxPageSetups = 1000;

export const conversionConfig: Kind<readonly PageSetup[]> = {
  allowed: 'JSON such as {"pageSetup": [{"pages": "1", "marginTop": "2in", "displayHeader": "none"}]}',
  schema: { type: 'string', examples: ['{"pageSetup": [{"pages": "1", "displayHeader": "none"}]}'] },
  maxLength: maxLengths.config,
  read(text) {
    const setups = readConfig(text);
    return typeof setups === 'string' ? undefined : setups;
  },
  explain(text) {
    const problem = readConfig(text);
    return typeof problem === 'string' ? problem : undefined;
  },
};

/** Returns the setups, or a message that describes the problem. */
function readConfig(text: string): readonly PageSetup[] | string {
  const config = parseJson(text);
  if (!isRecord(config)) return 'it is not a JSON object';
  const unknown = Object.keys(config).find((name) => name !== 'pageSetup');
  if (unknown !== undefined) return `'${unknown}' is not a known member`;
  if (!Array.isArray(config.pageSetup)) return 'pageSetup is not a list';
  if (config.pageSetup.length > maxPageSetups)
    return `pageSetup has ${config.pageSetup.length} elements; send at most ${maxPageSetups}`;
  const setups: PageSetup[] = [];
  for (const [index, entry] of config.pageSetup.entries()) {
    const setup = readSetup(entry, `pageSetup[${index}]`);
    if (typeof setup === 'string') return setup;
    setups.push(setup);
  }
  return setups;
}

function readSetup(entry: unknown, path: string): PageSetup | string {
  if (!isRecord(entry)) return `${path} is not an object`;
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    const kind = (memberKinds as Readonly<Record<string, Kind<unknown>>>)[name];
    if (kind === undefined) return `'${name}' is not a known member of ${path}`;
    // As with an option, an empty value counts as absent.
    if (value === '' || value === null) continue;
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
    const memberValue = text === undefined ? undefined : kind.read(text);
    if (memberValue === undefined) {
      const shown = text === undefined ? 'a list, an object or a boolean' : `'${text.slice(0, 100)}'`;
      return `${shown} is not allowed as ${name} of ${path}; allowed: ${kind.allowed}`;
    }
    values[name] = memberValue;
  }
  return values;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
