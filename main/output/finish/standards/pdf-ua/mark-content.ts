/**
 * Divides the content of pages into tagged content and artifacts (ISO 32000-1, 14.8.2.2): drawings of pictures are tagged, and whatever
 * else belongs to no structure element, such as a border or a background, becomes an artifact.
 */
import {
  PDFDict,
  PDFName,
  PDFRawStream,
  PDFRef,
  type PDFContext,
  type PDFDocument,
  type PDFObject,
  type PDFStream,
} from '@cantoo/pdf-lib';
import { deflateSync } from '../../../../async/thread-zlib.ts';
import { matrixOf, multiply, type Box, type Matrix } from '../../../geometry.ts';
import { contentOf, fontReader } from '../../../pdf-reader/inspect-pdf.ts';
import { paintedStrings } from '../../../pdf-reader/page-texts.ts';
import type { PdfFile } from '../../../pdf-reader/pdf-file.ts';
import { operations, type Operation, type PdfValue } from '../../../pdf-reader/pdf-syntax.ts';
import { bytesOf, dictOf, numbersIn, pdfFileOf } from '../../pdf-document.ts';
import { ClipTracker } from './clip-tracker.ts';
import type { PlacedPicture } from './pictures.ts';
import { StructureElement, type HolderOf } from './structure-tree.ts';
import type { UntaggedTexts } from './untagged-texts.ts';
import { copyOfResources, TaggedForms, withContent } from './tagged-forms.ts';

/**
 * Marks the content of all pages, and adds the drawings of pictures and the untagged texts to their elements. Sequences that no element of
 * the tree has become artifacts. Returns in which page or form a sequence is: Chromium numbers the sequences of a page and of the forms on it
 * together.
 */
export function markContent(
  document: PDFDocument,
  root: StructureElement,
  { pictures, texts }: UntaggedContent,
): HolderOf {
  const { context } = document;
  const forms = new TaggedForms(context);
  const file = pdfFileOf(document);
  const owned = ownedNumbers(root);
  const readers: MarkingContext['readers'] = new Map();
  const holdersByPage = new Map<PDFRef, Map<number, PDFRef>>();
  for (const { node, ref: page } of document.getPages()) {
    const holders = new Map<number, PDFRef>();
    holdersByPage.set(page, holders);
    const pageContent: PageContent = {
      page,
      owned: owned.get(page) ?? new Set(),
      pending: pictures.filter((picture) => picture.page === page),
      holders,
    };
    const content = contentOf(file, dictOf(node));
    const source = { content, resources: node.Resources(), holder: page, matrix: matrixOf([]) };
    const marked = new ContentMarker({ context, file, forms, readers, texts, pageContent }, source).mark();
    if (marked === undefined) continue;
    const stream = PDFRawStream.of(context.obj({ Filter: 'FlateDecode' }), deflateSync(marked.content));
    node.set(PDFName.of('Contents'), context.register(stream));
    node.set(PDFName.of('Resources'), marked.resources);
  }
  return ({ page, number }) => holdersByPage.get(page)?.get(number);
}

interface UntaggedContent {
  readonly pictures: readonly PlacedPicture[];
  readonly texts: UntaggedTexts;
}

/** Returns the numbers of the sequences that elements have, by page. */
function ownedNumbers(root: StructureElement): Map<PDFRef, Set<number>> {
  const owned = new Map<PDFRef, Set<number>>();
  for (const { kids } of root.descendants())
    for (const kid of kids) {
      if (kid instanceof StructureElement || !('number' in kid)) continue;
      const numbers = owned.get(kid.page) ?? new Set<number>();
      numbers.add(kid.number);
      owned.set(kid.page, numbers);
    }
  return owned;
}

/** A page whose content is being marked. */
interface PageContent {
  readonly page: PDFRef;
  /** The numbers of the sequences of the page that elements have. */
  readonly owned: Set<number>;
  /** The pictures whose drawing has not been met. */
  pending: PlacedPicture[];
  /** For each number of a sequence that has been met, the page or form in which it is. */
  readonly holders: Map<number, PDFRef>;
}

/** Operators that paint (ISO 32000-1, table 51), except `Do`. An inline image is one operation, `BI`. */
const paintingOperators = new Set('f F f* B B* b b* S s sh BI'.split(' '));

interface MarkingContext {
  readonly context: PDFContext;
  readonly file: PdfFile;
  readonly forms: TaggedForms;
  /** Functions that decode strings, by the object of their font. */
  readonly readers: Map<PDFObject, ReturnType<typeof fontReader>>;
  readonly texts: UntaggedTexts;
  readonly pageContent: PageContent;
}

interface ContentSource {
  readonly content: Uint8Array;
  readonly resources: PDFDict | undefined;
  /** The page or form with this content. */
  readonly holder: PDFRef;
  /** Maps the space of the content to that of the page. */
  readonly matrix: Matrix;
}

/** Marks one content stream, and the forms that it paints. */
class ContentMarker {
  readonly #marking: MarkingContext;
  readonly #source: ContentSource;
  readonly #clips: ClipTracker;
  readonly #pieces: Uint8Array[] = [];
  #resources: PDFDict | undefined;
  /** The end of the content that is in the pieces. */
  #copied = 0;
  /** For each marked-content sequence around the current position, whether its content is tagged or an artifact. */
  readonly #isMarked: boolean[] = [];
  /** The number of saved graphics states at the beginning of the added sequence; undefined if none is open. */
  #openDepth: number | undefined;
  /** The picture to which paint belongs, with the number of saved graphics states at its beginning. */
  #picture: { readonly element: StructureElement; readonly depth: number } | undefined;
  #pathStart: number | undefined;
  /** The name of the current font. */
  #font: string | undefined;

  constructor(marking: MarkingContext, source: ContentSource) {
    this.#marking = marking;
    this.#source = source;
    this.#clips = new ClipTracker(source.matrix);
    this.#resources = source.resources;
  }

  /** Returns the marked content; undefined if nothing changes. */
  mark(): { readonly content: Buffer; readonly resources: PDFDict } | undefined {
    const { content } = this.#source;
    const masksChanged = this.#untagMasks();
    for (const operation of operations(content)) this.#visit(operation);
    this.#close(content.length);
    if (this.#pieces.length === 0 && !masksChanged) return undefined;
    this.#replace(content.length, content.length, '');
    return {
      content: Buffer.concat(this.#pieces),
      resources: this.#resources ?? this.#marking.context.obj({}),
    };
  }

  #visit(operation: Operation): void {
    const { operator, start, end } = operation;
    switch (operator) {
      case 'Q':
        if (this.#openDepth === this.#clips.depth) this.#close(start);
        if (this.#picture?.depth === this.#clips.depth) this.#picture = undefined;
        break;
      // Marked content may not overlap a text object.
      case 'BT':
      case 'ET':
        this.#close(start);
        break;
      case 'BMC':
      case 'BDC':
        this.#close(start);
        this.#isMarked.push(this.#begin(operation));
        break;
      case 'EMC':
        this.#close(start);
        this.#isMarked.pop();
        break;
      case 'm':
      case 're':
        this.#pathStart ??= start;
        break;
      case 'n':
        this.#pathStart = undefined;
        break;
      case 'Do':
        this.#paintXObject(operation);
        break;
      case 'Tf':
        if (typeof operation.operands[0] === 'string') this.#font = operation.operands[0];
        break;
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        this.#paintText(operation);
        break;
      default:
        if (!paintingOperators.has(operator)) break;
        this.#open(this.#pathStart ?? start);
        this.#pathStart = undefined;
    }
    const clip = this.#clips.visit(operation);
    if (clip !== undefined) this.#enterPicture(clip, end);
  }

  /** Returns whether the content of the sequence that begins is tagged or an artifact. */
  #begin({ operands: [tag, properties], start, end }: Operation): boolean {
    const { owned, holders } = this.#marking.pageContent;
    if (this.#isInMarked || tag === 'Artifact') return true;
    const number = numberIn(properties);
    if (number === undefined) return false;
    if (owned.has(number)) holders.set(number, this.#source.holder);
    else this.#replace(start, end, '\n/Artifact BMC');
    return true;
  }

  /** Decodes a string in the current font, as far as the font has characters for it. */
  #decode(text: Uint8Array): string {
    const { file, readers } = this.#marking;
    if (this.#font === undefined || this.#resources === undefined) return '';
    const fonts = this.#resources.lookup(PDFName.of('Font'));
    const font = fonts instanceof PDFDict ? fonts.get(PDFName.of(this.#font)) : undefined;
    if (font === undefined) return '';
    const holder = new Map([['Resources', dictOf(this.#resources)]]);
    const read = readers.get(font) ?? fontReader(file, holder, this.#font);
    readers.set(font, read);
    return read(text).join('');
  }

  /** Tags text that a node of the page has, and makes other text an artifact. */
  #paintText(operation: Operation): void {
    const { start, end } = operation;
    if (this.#isInMarked) return;
    const text = paintedStrings(operation)
      .map((shown) => this.#decode(shown))
      .join('');
    const element = this.#picture === undefined ? this.#marking.texts.elementFor(text) : undefined;
    if (element === undefined) {
      this.#open(start);
      return;
    }
    this.#close(start);
    this.#replace(start, start, `\n/${element.type} <</MCID ${this.#addTo(element)}>> BDC`);
    this.#replace(end, end, '\nEMC\n');
  }

  #paintXObject({ operands: [name], start, end }: Operation): void {
    const { forms } = this.#marking;
    const ref = typeof name === 'string' ? this.#xobject(name) : undefined;
    if (ref === undefined || !forms.includes(ref)) {
      this.#open(start);
    } else if (!this.#isInMarked && forms.claim(ref)) {
      this.#close(start);
      this.#markForm(ref);
    } else {
      this.#open(start);
      this.#replace(start, end, `\n/${this.#nameFor(forms.untaggedCopy(ref))} Do`);
    }
  }

  /** Marks the content of a form, in place. */
  #markForm(ref: PDFRef): void {
    const { context, forms } = this.#marking;
    const form = forms.at(ref);
    if (form === undefined) return;
    const own = form.dict.lookup(PDFName.of('Resources'));
    const source: ContentSource = {
      content: bytesOf(form),
      resources: own instanceof PDFDict ? own : this.#resources,
      holder: ref,
      matrix: multiply(formMatrix(form), this.#clips.matrix),
    };
    const marked = new ContentMarker(this.#marking, source).mark();
    if (marked !== undefined) context.assign(ref, withContent(form, marked));
  }

  /** Begins a picture if the clip has its position. */
  #enterPicture(clip: Box, at: number): void {
    const { pageContent } = this.#marking;
    const picture = nearestPicture(pageContent.pending, clip);
    if (picture === undefined) return;
    pageContent.pending = pageContent.pending.filter((other) => other !== picture);
    this.#close(at);
    this.#picture = { element: picture.element, depth: this.#clips.depth };
  }

  /** Replaces tagged forms in soft masks, which are not content. Returns whether there are any. */
  #untagMasks(): boolean {
    const { forms } = this.#marking;
    const states = this.#resources?.lookup(PDFName.of('ExtGState'));
    if (!(states instanceof PDFDict)) return false;
    let isChanged = false;
    for (const key of states.keys()) {
      const state = states.lookup(key);
      const mask = state instanceof PDFDict ? state.lookup(PDFName.of('SMask')) : undefined;
      const group = mask instanceof PDFDict ? mask.get(PDFName.of('G')) : undefined;
      if (!(mask instanceof PDFDict && group instanceof PDFRef) || !forms.includes(group)) continue;
      mask.set(PDFName.of('G'), forms.untaggedCopy(group));
      isChanged = true;
    }
    return isChanged;
  }

  #xobject(name: string): PDFRef | undefined {
    const xobjects: PDFObject | undefined = this.#resources?.lookup(PDFName.of('XObject'));
    const ref = xobjects instanceof PDFDict ? xobjects.get(PDFName.of(name)) : undefined;
    return ref instanceof PDFRef ? ref : undefined;
  }

  /** Adds a form to the resources and returns its name. */
  #nameFor(ref: PDFRef): string {
    const name = `Untagged${ref.objectNumber}`;
    if (this.#xobject(name) === ref) return name;
    const { resources, xobjects } = copyOfResources(this.#resources, this.#marking.context);
    xobjects.set(PDFName.of(name), ref);
    this.#resources = resources;
    return name;
  }

  get #isInMarked(): boolean {
    return this.#isMarked.includes(true);
  }

  /** Begins a sequence for paint at a position: that of the current picture, or an artifact. */
  #open(at: number): void {
    if (this.#isInMarked || this.#openDepth !== undefined) return;
    this.#openDepth = this.#clips.depth;
    const { element } = this.#picture ?? {};
    const opening = element === undefined ? '/Artifact BMC' : `/Figure <</MCID ${this.#addTo(element)}>> BDC`;
    this.#replace(at, at, `\n${opening}\n`);
  }

  /** Adds a sequence to an element, and returns its number. */
  #addTo(element: StructureElement): number {
    const { page, owned, holders } = this.#marking.pageContent;
    let number = owned.size;
    while (owned.has(number)) number += 1;
    owned.add(number);
    holders.set(number, this.#source.holder);
    element.kids.push({ page, number });
    return number;
  }

  #close(at: number): void {
    if (this.#openDepth === undefined) return;
    this.#openDepth = undefined;
    this.#replace(at, at, '\nEMC\n');
  }

  /** Copies the content up to `start`, and adds `text` instead of the content up to `end`. */
  #replace(start: number, end: number, text: string): void {
    const { content } = this.#source;
    this.#pieces.push(content.subarray(this.#copied, start), Buffer.from(text, 'latin1'));
    this.#copied = end;
  }
}

function numberIn(properties: PdfValue | undefined): number | undefined {
  const number = properties instanceof Map ? properties.get('MCID') : undefined;
  return typeof number === 'number' ? number : undefined;
}

function formMatrix({ dict }: PDFStream): Matrix {
  return matrixOf(numbersIn(dict, 'Matrix'));
}

/** Positions are rounded to CSS pixels, which are up to 1.5 points. */
const roundingPoints = 1.5;
/** The widest border and padding around a drawing. */
const maxBorderPoints = 12;

/** Returns the picture whose upper left corner, or that of its content, is nearest to that of a clip; undefined if none is near. */
function nearestPicture(pictures: readonly PlacedPicture[], clip: Box): PlacedPicture | undefined {
  const near = pictures.flatMap((picture) => {
    const right = clip.left - picture.left;
    const down = picture.top - (clip.bottom + clip.height);
    const isNear = [right, down].every((offset) => offset > -roundingPoints && offset < maxBorderPoints);
    return isNear ? [{ picture, distance: Math.hypot(right, down) }] : [];
  });
  return near.sort((first, second) => first.distance - second.distance)[0]?.picture;
}
