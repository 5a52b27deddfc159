/**
 * Checks the content of all pages for what PDF/A-2, PDF/A-3 and PDF/UA-1 forbid. Clauses are those of ISO 19005-2. Content that Chromium prints
 * conforms except for missing glyphs; other content comes from watermark and background files.
 */
import { pdfDocEncodingDecode, type PDFDocument } from '@cantoo/pdf-lib';
import { contentOf, findPage } from '../../pdf-reader/inspect-pdf.ts';
import { paintedStrings } from '../../pdf-reader/page-texts.ts';
import { dictIn, dictOrEmpty, listIn, type PdfFile } from '../../pdf-reader/pdf-file.ts';
import {
  isReference,
  operations,
  type Dict,
  type Operation,
  type PdfValue,
} from '../../pdf-reader/pdf-syntax.ts';
import { pdfFileOf } from '../pdf-document.ts';
import { checkColourSpace } from './check-colours.ts';
import { FontCheck, type ReplacedText } from './check-fonts.ts';
import { completeUnicodeMap } from './unicode-map.ts';
import type { Nonconformity } from './nonconformity.ts';

interface ContentRules {
  /** Whether text must be extractable. */
  readonly needsUnicode: boolean;
}

export interface ContentReport {
  /** Concerns PDF/A and PDF/UA. */
  readonly fonts: readonly Nonconformity[];
  /** Concerns PDF/A. */
  readonly others: readonly Nonconformity[];
}

/**
 * Returns what keeps the content from conforming. If `needsUnicode`, adds the missing characters of glyphs to the fonts
 * (6.2.11.7.2).
 */
export function checkContent(document: PDFDocument, { needsUnicode }: ContentRules): ContentReport {
  const check = new ContentCheck(pdfFileOf(document), needsUnicode);
  check.checkPages();
  for (const font of check.fonts()) if (font.added.size > 0) completeUnicodeMap(document, font);
  return check.report;
}

/** The deepest nesting of `q` (6.1.13). */
const maxSavedStates = 28;
/**
 * The largest number of characters in the fonts of a document together, which take 100 MB of memory. A hostile document may have
 * thousands of fonts that map all codes. Their other glyphs count as glyphs without characters.
 */
const maxMappings = 2_000_000;
/** More levels of forms than any real document has. */
const maxFormDepth = 40;

/** ISO 32000-1, table 136. */
const blendModes = new Set([
  'Normal',
  'Compatible',
  'Multiply',
  'Screen',
  'Overlay',
  'Darken',
  'Lighten',
  'ColorDodge',
  'ColorBurn',
  'HardLight',
  'SoftLight',
  'Difference',
  'Exclusion',
  'Hue',
  'Saturation',
  'Color',
  'Luminosity',
]);
const renderingIntents = new Set([
  'RelativeColorimetric',
  'AbsoluteColorimetric',
  'Perceptual',
  'Saturation',
]);

const smoothed =
  'an image is marked to be smoothed (Interpolate); save the watermark or background without that';
const tooDeep = 'its content is nested more than 28 levels deep; use fewer nested transformations and clips';

/** Returns a resource by its category, such as `Font`, and its name; undefined if there is none. */
type ResourceLookup = (category: string, name: PdfValue | undefined) => PdfValue | undefined;

/** The resources of a page or form, and the state of its text. */
interface ContentScope {
  /** The number of forms around the content. */
  readonly depth: number;
  readonly resource: ResourceLookup;
  font: FontCheck | undefined;
}

class ContentCheck {
  readonly report: { readonly fonts: Nonconformity[]; readonly others: Nonconformity[] } = {
    fonts: [],
    others: [],
  };
  readonly #file: PdfFile;
  readonly #needsUnicode: boolean;
  /** Object numbers of the forms, images and other resources that have been checked. */
  readonly #checked = new Set<number>();
  readonly #fonts = new Map<PdfValue | undefined, FontCheck>();
  #mappingsLeft = maxMappings;
  /** The reasons that have been reported for the current page. */
  #reasons = new Set<string>();
  #page = 1;
  #isFormField = false;
  /** The text that marked content around the current position replaces; undefined if there is none. */
  #replacedText: ReplacedText | undefined;

  constructor(file: PdfFile, needsUnicode: boolean) {
    this.#file = file;
    this.#needsUnicode = needsUnicode;
  }

  fonts(): Iterable<FontCheck> {
    return this.#fonts.values();
  }

  checkPages(): void {
    const root = dictIn(this.#file.resolve(this.#file.catalogue.get('Pages')));
    for (let index = 0; index < Number(root.get('Count')); index += 1) {
      this.#page = index + 1;
      this.#reasons = new Set();
      const page = findPage(this.#file, root, index);
      this.#isFormField = false;
      this.#checkContent(contentOf(this.#file, page), page);
      this.#isFormField = true;
      this.#checkAppearances(page);
    }
  }

  #report(reason: string): void {
    this.#reportTo(this.report.others, reason);
  }

  #reportFont(reason: string): void {
    this.#reportTo(this.report.fonts, reason);
  }

  /** Reports a reason once for each page: content may repeat it millions of times. */
  #reportTo(nonconformities: Nonconformity[], reason: string): void {
    if (this.#reasons.has(reason)) return;
    this.#reasons.add(reason);
    nonconformities.push({ page: this.#page, reason });
  }

  /** Returns whether an object is met for the first time. Objects that are part of another object always are. */
  #isNew(value: PdfValue | undefined): boolean {
    if (!isReference(value)) return true;
    if (this.#checked.has(value.object)) return false;
    this.#checked.add(value.object);
    return true;
  }

  #checkAppearances(page: Dict): void {
    for (const entry of listIn(this.#file.resolve(page.get('Annots')))) {
      const appearance = this.#dictOf(this.#dictOf(entry).get('AP'));
      const normal = appearance.get('N');
      const states = this.#dictOf(normal).has('BBox') ? [normal] : [...this.#dictOf(normal).values()];
      for (const state of states) this.#checkForm(state, 0);
    }
  }

  #checkContent(content: Uint8Array, holder: Dict, depth = 0): void {
    const resources = this.#dictOf(holder.get('Resources'));
    // Each conversion of a dictionary gives another object, and the fonts in it would be checked again.
    const categories = new Map<string, Dict>();
    const resourcesIn = (category: string) => {
      const found = categories.get(category) ?? this.#dictOf(resources.get(category));
      categories.set(category, found);
      return found;
    };
    const scope: ContentScope = {
      depth,
      resource: (category, name) => (typeof name === 'string' ? resourcesIn(category).get(name) : undefined),
      font: undefined,
    };
    const marked: (ReplacedText | undefined)[] = [];
    let saved = 0;
    for (const operation of operations(content)) {
      const { operator, operands } = operation;
      if (operator === 'q') {
        saved += 1;
        if (saved === maxSavedStates + 1) this.#report(tooDeep);
      } else if (operator === 'Q') saved -= 1;
      else if (operator === 'BDC' || operator === 'BMC') {
        marked.push(this.#replacedText);
        this.#replacedText = this.#replacedTextOf(operands[1], scope) ?? this.#replacedText;
      } else if (operator === 'EMC') this.#replacedText = marked.pop();
      else this.#checkOperation(operation, scope);
    }
  }

  #checkOperation(operation: Operation, scope: ContentScope): void {
    const { operator, operands } = operation;
    const { resource, depth } = scope;
    const [operand] = operands;
    switch (operator) {
      case 'Tf':
        scope.font = this.#fontOf(resource('Font', operand));
        break;
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        for (const reason of scope.font?.check(paintedStrings(operation), this.#replacedText) ?? [])
          this.#reportFont(reason);
        break;
      case 'Do':
        this.#checkXObject(resource('XObject', operand), depth);
        break;
      case 'gs':
        this.#checkGraphicsState(resource('ExtGState', operand), depth);
        break;
      case 'k':
      case 'K':
        this.#checkColours('DeviceCMYK');
        break;
      case 'cs':
      case 'CS':
        this.#checkColours(resource('ColorSpace', operand) ?? operand);
        break;
      case 'scn':
      case 'SCN':
        this.#checkPattern(resource('Pattern', operands.at(-1)), depth);
        break;
      case 'sh':
        this.#checkColours(this.#dictOf(resource('Shading', operand)).get('ColorSpace'));
        break;
      case 'ri':
        this.#checkIntent(operand);
        break;
      case 'BI':
        this.#checkInlineImage(operand, scope);
        break;
    }
  }

  #fontOf(value: PdfValue | undefined): FontCheck {
    const key = isReference(value) ? value.object : value;
    const existing = this.#fonts.get(key);
    if (existing !== undefined) return existing;
    const check = new FontCheck(this.#file, this.#dictOf(value), {
      needsUnicode: this.#needsUnicode,
      maxMappings: this.#mappingsLeft,
    });
    this.#mappingsLeft -= check.characters?.size ?? 0;
    this.#fonts.set(key, check);
    if (!check.isEmbedded)
      this.#reportFont(
        this.#isFormField
          ? 'the text of form fields uses a font that is not embedded; remove enable_pdf_forms'
          : `the font ${check.name} is not embedded; save the watermark or background with embedded fonts`,
      );
    for (const glyph of check.glyphContents) this.#checkContent(this.#file.stream(glyph), check.font);
    return check;
  }

  /** Returns the ActualText of marked content (ISO 32000-1, 14.9.4). */
  #replacedTextOf(properties: PdfValue | undefined, { resource }: ContentScope): ReplacedText | undefined {
    const dict = this.#dictOf(
      typeof properties === 'string' ? resource('Properties', properties) : properties,
    );
    const text = this.#file.resolve(dict.get('ActualText'));
    return text instanceof Uint8Array ? { remaining: textOf(text) } : undefined;
  }

  #checkXObject(value: PdfValue | undefined, depth: number): void {
    const dict = this.#dictOf(value);
    if (dict.get('Subtype') === 'Image') this.#checkImage(value);
    else this.#checkForm(value, depth);
  }

  #checkForm(value: PdfValue | undefined, depth: number): void {
    if (!this.#isNew(value) || depth > maxFormDepth) return;
    const form = this.#dictOf(value);
    this.#checkStream(form);
    if (form.has('OPI') || form.has('PS') || form.has('Ref') || form.get('Subtype') === 'PS')
      this.#report(
        'it contains content from outside the file, or PostScript; save the watermark or background without it',
      );
    this.#checkColours(this.#dictOf(form.get('Group')).get('CS'));
    this.#checkContent(this.#file.stream(value), form, depth + 1);
  }

  #checkImage(value: PdfValue | undefined): void {
    if (!this.#isNew(value)) return;
    const image = this.#dictOf(value);
    this.#checkStream(image);
    if (image.get('Interpolate') === true) this.#report(smoothed);
    if (image.has('Alternates') || image.has('OPI'))
      this.#report('an image has alternatives; save the watermark or background without them');
    if (image.get('ImageMask') !== true) this.#checkColours(image.get('ColorSpace'));
    if (image.has('Intent')) this.#checkIntent(image.get('Intent'));
    for (const mask of ['SMask', 'Mask'])
      if (this.#dictOf(image.get(mask)).has('Width')) this.#checkImage(image.get(mask));
  }

  #checkInlineImage(value: PdfValue | undefined, { resource }: ContentScope): void {
    const image = value instanceof Map ? value : new Map<string, PdfValue>();
    const space = image.get('CS') ?? image.get('ColorSpace');
    const isCmyk = space === 'CMYK';
    this.#checkColours(isCmyk ? 'DeviceCMYK' : (resource('ColorSpace', space) ?? space));
    if ((image.get('I') ?? image.get('Interpolate')) === true) this.#report(smoothed);
    this.#checkFilters(image.get('F') ?? image.get('Filter'));
  }

  #checkPattern(value: PdfValue | undefined, depth: number): void {
    const pattern = this.#dictOf(value);
    if (pattern.get('PatternType') === 1) this.#checkForm(value, depth);
    else if (this.#isNew(value)) this.#checkColours(this.#dictOf(pattern.get('Shading')).get('ColorSpace'));
  }

  #checkGraphicsState(value: PdfValue | undefined, depth: number): void {
    if (!this.#isNew(value)) return;
    const state = this.#dictOf(value);
    const mode = this.#file.resolve(state.get('BM'));
    for (const name of Array.isArray(mode) ? mode : [mode ?? 'Normal'])
      if (typeof name !== 'string' || !blendModes.has(name))
        this.#report('it uses an unknown blend mode; save the watermark or background with another program');
    if (state.has('TR') || state.has('HTP') || (state.has('TR2') && state.get('TR2') !== 'Default'))
      this.#report(
        'it uses a transfer function or halftones; save the watermark or background for the screen instead of a press',
      );
    if (state.has('RI')) this.#checkIntent(state.get('RI'));
    const mask = this.#file.resolve(state.get('SMask'));
    if (mask instanceof Map) this.#checkForm(mask.get('G'), depth);
    const [font] = listIn(this.#file.resolve(state.get('Font')));
    if (font !== undefined) this.#fontOf(font);
  }

  #checkIntent(intent: PdfValue | undefined): void {
    if (typeof intent !== 'string' || !renderingIntents.has(intent))
      this.#report(
        'it uses an unknown rendering intent; save the watermark or background with another program',
      );
  }

  #checkColours(colourSpace: PdfValue | undefined): void {
    if (colourSpace === undefined) return;
    for (const reason of checkColourSpace(this.#file, colourSpace)) this.#report(reason);
  }

  #checkStream(dict: Dict): void {
    if (dict.has('F'))
      this.#report('it refers to another file; save the watermark or background as one file');
    this.#checkFilters(this.#file.resolve(dict.get('Filter')));
  }

  #checkFilters(filter: PdfValue | undefined): void {
    const filters = Array.isArray(filter) ? filter : [filter];
    if (filters.includes('LZWDecode') || filters.includes('LZW'))
      this.#report('it is compressed with LZW; save the watermark or background with another program');
    if (filters.includes('JPXDecode'))
      this.#report(
        'it contains a JPEG 2000 image, which is not supported with PDF/A; convert the image to JPEG or PNG',
      );
  }

  #dictOf(value: PdfValue | undefined): Dict {
    return dictOrEmpty(this.#file, value);
  }
}

/** Returns a text string (ISO 32000-1, 7.9.2.2, and UTF-8 of ISO 32000-2). Chromium writes ASCII without a byte order mark. */
function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes);
  return pdfDocEncodingDecode(bytes);
}
