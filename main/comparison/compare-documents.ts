/**
 * Compares two outputs: the pixels of each page, the words and the fonts. Not compared: metadata, bookmarks, links, tags, attachments,
 * form values and signatures, as far as they change no pixel.
 */
import { messageOf } from '../failure/failure.ts';
import { openImagePages, type ImagePages } from './image-pages.ts';
import { encodePageImages, type PageDrawings, type PageImages } from './page-images.ts';
import type {
  PageTextAndFonts,
  ComparableDocument,
  PositionedWord,
  UsedFont,
} from './comparable-document.ts';
import { openPdfPages } from './pdf-pages.ts';
import { compare } from './pixels.ts';
import { findTextChanges, type TextChange } from './text-changes.ts';

/** `before` is the output of the earlier installation, `after` that of the later one. */
export type DocumentDifference =
  | { readonly kind: 'identical bytes' }
  /** The bytes differ, and `reason` says why nothing else was compared. */
  | { readonly kind: 'different bytes'; readonly reason: string }
  /** At least one document cannot be opened. A message is undefined if that document can. */
  | { readonly kind: 'unreadable'; readonly before: string | undefined; readonly after: string | undefined }
  | PagesDifference;

export interface PagesDifference {
  readonly kind: 'pages compared';
  readonly pageCounts: { readonly before: number; readonly after: number };
  /** All pages, in order. Page n of one document is compared with page n of the other. */
  readonly pages: readonly ComparedPage[];
  readonly textChanges: readonly TextChange[];
  /** The fonts that only one document uses, sorted by name. */
  readonly fonts: { readonly before: readonly UsedFont[]; readonly after: readonly UsedFont[] };
}

export type ComparedPage =
  | { readonly page: number; readonly kind: 'identical' }
  /** `share`: the fraction of pixels that differ, above 0. `resized`: the two pages have different sizes. */
  | { readonly page: number; readonly kind: 'differs'; readonly share: number; readonly resized: boolean }
  | { readonly page: number; readonly kind: 'only'; readonly side: 'before' | 'after' }
  /** The page could not be drawn. */
  | { readonly page: number; readonly kind: 'unknown'; readonly reason: string };

export interface ComparisonOptions {
  /** The password of encrypted PDFs. */
  readonly password?: string | undefined;
  /** Receives the images of each page that differs or that only one document has. The next page waits for the promise. */
  readonly onDifferingPage?: ((images: PageImages) => Promise<void>) | undefined;
  /**
   * The maximum number of pixels of a drawing (default: 24 million). Larger pages are drawn smaller. Two drawings, their mask and the
   * overlay are in memory at the same time.
   */
  readonly maxPixels?: number | undefined;
  /** Stops before the next page. */
  readonly signal?: AbortSignal | undefined;
}

const defaultMaxPixels = 24e6;

/** @throws the error of `onDifferingPage`, or the reason of the aborted `signal` */
export async function compareDocuments(
  before: Uint8Array,
  after: Uint8Array,
  options: ComparisonOptions = {},
): Promise<DocumentDifference> {
  if (Buffer.compare(before, after) === 0) return { kind: 'identical bytes' };
  const areImages = !isPdf(before) && !isPdf(after);
  if (areImages) return compareImages(await openImagePages(before), await openImagePages(after), options);
  if (!isPdf(before) || !isPdf(after))
    return { kind: 'different bytes', reason: 'Only one of the two files is a PDF.' };
  const openedBefore = await openOrExplain(before, options.password);
  const openedAfter = await openOrExplain(after, options.password);
  if (typeof openedBefore !== 'string' && typeof openedAfter !== 'string')
    return new PagesComparison(openedBefore, openedAfter, options).run();
  return {
    kind: 'unreadable',
    before: typeof openedBefore === 'string' ? openedBefore : undefined,
    after: typeof openedAfter === 'string' ? openedAfter : undefined,
  };
}

/** Readers of PDF accept up to 1024 bytes before the header (ISO 32000-1, annex H). */
function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
}

async function openOrExplain(
  bytes: Uint8Array,
  password: string | undefined,
): Promise<ComparableDocument | string> {
  try {
    return await openPdfPages(bytes, password);
  } catch (problem) {
    return messageOf(problem);
  }
}

async function compareImages(
  before: ImagePages | undefined,
  after: ImagePages | undefined,
  options: ComparisonOptions,
): Promise<DocumentDifference> {
  if (before?.format !== after?.format)
    return { kind: 'different bytes', reason: 'The two files have different formats.' };
  if (before === undefined || after === undefined)
    return { kind: 'different bytes', reason: 'Files of this format are compared byte by byte only.' };
  return new PagesComparison(before, after, options).run();
}

/** Keeps the drawings of one page only. */
class PagesComparison {
  readonly #before: ComparableDocument;
  readonly #after: ComparableDocument;
  readonly #options: ComparisonOptions;
  readonly #contentsBefore = new CollectedContents();
  readonly #contentsAfter = new CollectedContents();

  constructor(before: ComparableDocument, after: ComparableDocument, options: ComparisonOptions) {
    this.#before = before;
    this.#after = after;
    this.#options = options;
  }

  async run(): Promise<PagesDifference> {
    try {
      const pages: ComparedPage[] = [];
      for (let page = 1; page <= Math.max(this.#before.pages, this.#after.pages); page += 1) {
        this.#options.signal?.throwIfAborted();
        pages.push(await this.#comparePage(page));
      }
      return {
        kind: 'pages compared',
        pageCounts: { before: this.#before.pages, after: this.#after.pages },
        pages,
        textChanges: findTextChanges(this.#contentsBefore.words, this.#contentsAfter.words),
        fonts: {
          before: this.#contentsBefore.fontsMissingIn(this.#contentsAfter),
          after: this.#contentsAfter.fontsMissingIn(this.#contentsBefore),
        },
      };
    } finally {
      this.#before.close();
      this.#after.close();
    }
  }

  async #comparePage(page: number): Promise<ComparedPage> {
    let compared: { readonly result: ComparedPage; readonly drawings?: PageDrawings };
    try {
      await this.#readContents(page);
      compared = await this.#compareDrawings(page);
    } catch (problem) {
      const side = this.#onlySideOf(page);
      if (side !== undefined) return { page, kind: 'only', side };
      return { page, kind: 'unknown', reason: messageOf(problem) };
    }
    const { result, drawings } = compared;
    if (drawings !== undefined) await this.#options.onDifferingPage?.(await encodePageImages(drawings));
    return result;
  }

  /** Returns the document that has a page; undefined if both have it. */
  #onlySideOf(page: number): 'before' | 'after' | undefined {
    if (page > this.#after.pages) return 'before';
    return page > this.#before.pages ? 'after' : undefined;
  }

  /** Reads both pages before it keeps one, so that the words of a page that only one side can read are not reported as changes. */
  async #readContents(page: number): Promise<void> {
    const before = page <= this.#before.pages ? await this.#before.textOf(page) : undefined;
    const after = page <= this.#after.pages ? await this.#after.textOf(page) : undefined;
    this.#contentsBefore.add(before);
    this.#contentsAfter.add(after);
  }

  async #compareDrawings(page: number): Promise<{ result: ComparedPage; drawings?: PageDrawings }> {
    const scale = await this.#scaleOf(page);
    const before = page <= this.#before.pages ? await this.#before.draw(page, scale) : undefined;
    const after = page <= this.#after.pages ? await this.#after.draw(page, scale) : undefined;
    if (before === undefined || after === undefined) {
      const side = after === undefined ? 'before' : 'after';
      return { result: { page, kind: 'only', side }, drawings: { page, before, after, mask: undefined } };
    }
    const { differing, total, mask } = compare(before, after);
    if (differing === 0) return { result: { page, kind: 'identical' } };
    const resized = before.width !== after.width || before.height !== after.height;
    const result = { page, kind: 'differs', share: differing / total, resized } as const;
    return { result, drawings: { page, before, after, mask } };
  }

  /** Returns the scale for both pages, so that the smallest image that contains both has at most `maxPixels`. */
  async #scaleOf(page: number): Promise<number> {
    const documents = [this.#before, this.#after].filter(({ pages }) => page <= pages);
    let width = 1;
    let height = 1;
    for (const document of documents) {
      const size = await document.sizeOf(page);
      width = Math.max(width, size.width);
      height = Math.max(height, size.height);
    }
    const { maxPixels = defaultMaxPixels } = this.#options;
    return Math.min(this.#before.preferredScale, Math.sqrt(maxPixels / (width * height)));
  }
}

/** The words and fonts of the pages that were read so far. */
class CollectedContents {
  readonly words: PositionedWord[] = [];
  readonly #fonts = new Map<string, UsedFont>();

  add(content: PageTextAndFonts | undefined): void {
    for (const word of content?.words ?? []) this.words.push(word);
    for (const font of content?.fonts ?? []) this.#fonts.set(`${font.name} ${font.isEmbedded}`, font);
  }

  fontsMissingIn(other: CollectedContents): readonly UsedFont[] {
    return [...this.#fonts]
      .filter(([key]) => !other.#fonts.has(key))
      .map(([, font]) => font)
      .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  }
}
