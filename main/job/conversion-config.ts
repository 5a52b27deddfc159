/** `conversion_config`: set-up for some of the pages of a document, as JSON; and which set-up a page has. */
import type { Kind } from '../fields/kind.ts';
import { oneOf } from '../fields/kinds.ts';
import { length, type Inches } from '../fields/measures.ts';
import { colour } from './option-kinds.ts';
import { pageRange, type PageRange } from './page-range.ts';
import { paperSizes, type PaperName } from './paper-sizes.ts';

/** none: no strip and no space for it; space: its space is left free; content: it is printed. */
export type Display = 'none' | 'space' | 'content';

/** What is otherwise than the options say, on some pages. */
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

const displays = oneOf(['none', 'space', 'content']);

const members: { readonly [N in keyof Required<PageSetup>]: Kind<Required<PageSetup>[N]> } = {
  pages: pageRange,
  pageSize: oneOf(Object.keys(paperSizes) as PaperName[]),
  pageWidth: length,
  pageHeight: length,
  marginTop: length,
  marginRight: length,
  marginBottom: length,
  marginLeft: length,
  displayHeader: displays,
  displayFooter: displays,
  headerHeight: length,
  footerHeight: length,
  orientation: oneOf(['portrait', 'landscape']),
  backgroundColor: colour,
};

export const conversionConfig: Kind<readonly PageSetup[]> = {
  allowed: 'JSON such as {"pageSetup": [{"pages": "1", "marginTop": "2in", "displayHeader": "none"}]}',
  schema: { type: 'string', examples: ['{"pageSetup": [{"pages": "1", "displayHeader": "none"}]}'] },
  read(text) {
    const reading = readConfig(text);
    return typeof reading === 'string' ? undefined : reading;
  },
  why(text) {
    const reading = readConfig(text);
    return typeof reading === 'string' ? reading : undefined;
  },
};

/** The set-ups, or what is wrong. */
function readConfig(text: string): readonly PageSetup[] | string {
  const config = parsed(text);
  if (!isRecord(config)) return 'it is not a JSON object';
  const unknown = Object.keys(config).find((name) => name !== 'pageSetup');
  if (unknown !== undefined) return `'${unknown}' is not a known member`;
  if (!Array.isArray(config.pageSetup)) return 'pageSetup is not a list';
  const setups: PageSetup[] = [];
  for (const [index, entry] of config.pageSetup.entries()) {
    const setup = readSetup(entry, `pageSetup[${index}]`);
    if (typeof setup === 'string') return setup;
    setups.push(setup);
  }
  return setups;
}

function readSetup(entry: unknown, place: string): PageSetup | string {
  if (!isRecord(entry)) return `${place} is not an object`;
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    const kind = (members as Readonly<Record<string, Kind<unknown>>>)[name];
    if (kind === undefined) return `'${name}' is not a known member of ${place}`;
    // As with an option, an empty value is as if it were absent.
    if (value === '' || value === null) continue;
    const read = kind.read(written(value));
    if (read === undefined)
      return `'${written(value)}' is not allowed as ${name} of ${place}; allowed: ${kind.allowed}`;
    values[name] = read;
  }
  return values;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As it would stand in a form: numbers and words; nothing else is read. */
function written(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
