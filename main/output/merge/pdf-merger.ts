/**
 * Merges PDF documents into one, one after another. Each document gets a bookmark, below which its own bookmarks are. Links, form
 * fields, attached files and structure of the documents stay apart. Page labels and XMP metadata are left out.
 */
import {
  PDFArray,
  PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRef,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { readPdf, textIn } from '../finish/pdf-document.ts';
import { relinkOutline } from '../finish/select/select-outline.ts';
import { MergedForm } from './merged-form.ts';
import { MergedStructure } from './merged-structure.ts';
import { ObjectWriter, type DocumentCopy, type MergedRef } from './object-writer.ts';
import { separateNames } from './separate-names.ts';

export interface MergedSize {
  readonly pages: number;
  readonly bytes: number;
}

export interface Bookmarked {
  readonly title?: string;
  readonly number: number;
}

/** What the catalogue keeps of the first document. */
const firstKeys = ['ViewerPreferences', 'PageMode', 'PageLayout', 'OpenAction'].map((key) => PDFName.of(key));
/** What the document information keeps if it is the same in all documents. */
const infoKeys = ['Title', 'Author', 'Subject', 'Keywords', 'Creator', 'Producer', 'CreationDate'] as const;

export class PdfMerger {
  readonly #context = PDFContext.create();
  readonly #writer: ObjectWriter;
  readonly #pages: MergedRef;
  readonly #outlines: MergedRef;
  /** The bookmarks of all documents. */
  readonly #bookmarks: readonly MergedRef[];
  readonly #structure: MergedStructure;
  readonly #form: MergedForm;
  /** The roots of the page trees. */
  readonly #pageTrees: PDFObject[] = [];
  readonly #destinations: PDFObject[] = [];
  readonly #attachments: PDFObject[] = [];
  readonly #associatedFiles: PDFObject[] = [];
  readonly #first = new Map<PDFName, PDFObject>();
  #info: ReadonlyMap<string, string> | undefined;
  #language: string | undefined;
  #pageCount = 0;

  /** `file`: the descriptor of an empty file. `count`: the number of documents. */
  constructor(file: number, count: number) {
    this.#writer = new ObjectWriter(file);
    this.#pages = this.#writer.reserve();
    this.#outlines = this.#writer.reserve();
    this.#bookmarks = Array.from({ length: count }, () => this.#writer.reserve());
    this.#structure = new MergedStructure(this.#context, this.#writer);
    this.#form = new MergedForm(this.#context);
  }

  /**
   * Adds the next document, under a bookmark with the title. Default: the title of the document, then its number.
   * @throws Error if it cannot be read
   */
  async add(bytes: Uint8Array, bookmarked: Bookmarked): Promise<void> {
    const document = await readPdf(bytes);
    const title = bookmarked.title ?? titleOf(document) ?? String(bookmarked.number);
    const number = this.#pageTrees.length + 1;
    relinkOutline(document);
    this.#noteInfo(document);
    // These change the document, so nothing may be copied before.
    const prefix = `${String(number).padStart(6, '0')}/`;
    const names = separateNames(document, { prefix, firstParent: this.#structure.nextParent });
    const structureRoot = this.#structure.takeRoot(document, title);
    const fieldGroup = this.#form.groupFields(document, number);
    const bookmark = this.#bookmarkOf(document, title, number - 1);
    const pageTree = this.#takePageTree(document);

    const copy = this.#writer.copyFrom(document.context);
    const ownBookmark = this.#bookmarks[number - 1];
    if (ownBookmark !== undefined) copy.copyAs(ownBookmark, bookmark);
    this.#pageTrees.push(copy.copy(pageTree));
    this.#structure.add(structureRoot, names, copy);
    this.#form.add(document, fieldGroup, copy);
    if (names.destinations !== undefined) this.#destinations.push(copy.copy(names.destinations));
    if (names.attachments !== undefined) this.#attachments.push(copy.copy(names.attachments));
    this.#keepFiles(document, copy);
    if (number === 1) this.#keepFirst(document, copy);
  }

  /** Writes the end of the file. */
  end(): MergedSize {
    const context = this.#context;
    const writer = this.#writer;
    writer.write(this.#pages, context.obj({ Type: 'Pages', Kids: this.#pageTrees, Count: this.#pageCount }));
    const outlines = context.obj({ Type: 'Outlines', Count: this.#bookmarks.length });
    setIfPresent(outlines, 'First', this.#bookmarks[0]);
    setIfPresent(outlines, 'Last', this.#bookmarks.at(-1));
    writer.write(this.#outlines, outlines);
    const catalog = context.obj({ Type: 'Catalog', Pages: this.#pages, Outlines: this.#outlines });
    const names = this.#names();
    const parts = { ...this.#structure.end(), ...this.#form.end(), ...(names && { Names: names }) };
    for (const [key, value] of Object.entries(parts)) catalog.set(PDFName.of(key), value);
    if (this.#associatedFiles.length > 0) catalog.set(PDFName.of('AF'), context.obj(this.#associatedFiles));
    if (this.#language !== undefined && this.#language !== '')
      catalog.set(PDFName.of('Lang'), PDFHexString.fromText(this.#language));
    catalog.set(PDFName.of('PageMode'), PDFName.of('UseOutlines'));
    for (const [key, value] of this.#first) catalog.set(key, value);
    const info = context.obj({});
    for (const [key, value] of this.#info ?? []) info.set(PDFName.of(key), PDFHexString.fromText(value));
    const bytes = writer.end({ root: writer.add(catalog), info: writer.add(info) });
    return { pages: this.#pageCount, bytes };
  }

  /** Turns the root of the document's bookmarks into the bookmark of the document, so that those below keep their parent. */
  #bookmarkOf(document: PDFDocument, title: string, index: number): PDFRef {
    const { catalog, context } = document;
    const root = catalog.lookup(PDFName.of('Outlines'));
    const rootRef = catalog.get(PDFName.of('Outlines'));
    const hasRoot = root instanceof PDFDict && rootRef instanceof PDFRef;
    const bookmark = hasRoot ? root : context.obj({});
    const count = bookmark.lookup(PDFName.of('Count'));
    bookmark.delete(PDFName.of('Type'));
    // The bookmarks of the documents are closed: with many documents, open ones would hide each other.
    if (count instanceof PDFNumber)
      bookmark.set(PDFName.of('Count'), context.obj(-Math.abs(count.asNumber())));
    bookmark.set(PDFName.of('Title'), PDFHexString.fromText(title));
    bookmark.set(PDFName.of('Dest'), context.obj([document.getPage(0).ref, PDFName.of('Fit')]));
    bookmark.set(PDFName.of('Parent'), this.#outlines);
    setIfPresent(bookmark, 'Prev', this.#bookmarks[index - 1]);
    setIfPresent(bookmark, 'Next', this.#bookmarks[index + 1]);
    return hasRoot ? rootRef : context.register(bookmark);
  }

  /** Makes the root of the page tree a child of that of the merged document, so that pages keep what they inherit. */
  #takePageTree(document: PDFDocument): PDFRef {
    const root = document.catalog.Pages();
    root.set(PDFName.of('Parent'), this.#pages);
    this.#pageCount += document.getPageCount();
    const ref = document.catalog.get(PDFName.of('Pages'));
    return ref instanceof PDFRef ? ref : document.context.register(root);
  }

  #keepFiles({ catalog }: PDFDocument, copy: DocumentCopy): void {
    const files = catalog.lookup(PDFName.of('AF'));
    if (!(files instanceof PDFArray)) return;
    for (const file of files.asArray())
      if (file instanceof PDFRef) this.#associatedFiles.push(copy.copy(file));
  }

  #keepFirst({ catalog, context }: PDFDocument, copy: DocumentCopy): void {
    for (const key of firstKeys) {
      const value = catalog.get(key);
      if (value instanceof PDFName) this.#first.set(key, value);
      else if (value !== undefined)
        this.#first.set(key, copy.copy(value instanceof PDFRef ? value : context.register(value)));
    }
  }

  /** Keeps of the document information, and of the language, what is the same in all documents. */
  #noteInfo({ catalog, context }: PDFDocument): void {
    const language = textIn(catalog, 'Lang');
    this.#language = this.#language === undefined || this.#language === language ? language : '';
    const own = infoKeys.map((key) => [key, textIn(infoOf(context), key)] as const);
    const known = this.#info;
    this.#info = new Map(
      own.filter(([key, value]) => value !== '' && (known === undefined || known.get(key) === value)),
    );
  }

  #names(): PDFObject | undefined {
    const names = this.#context.obj({});
    if (this.#destinations.length > 0)
      names.set(PDFName.of('Dests'), this.#context.obj({ Kids: this.#destinations }));
    if (this.#attachments.length > 0)
      names.set(PDFName.of('EmbeddedFiles'), this.#context.obj({ Kids: this.#attachments }));
    return names.keys().length === 0 ? undefined : names;
  }
}

function infoOf(context: PDFContext): PDFDict | undefined {
  const dict = context.lookup(context.trailerInfo.Info);
  return dict instanceof PDFDict ? dict : undefined;
}

/** Returns the title in the document information; undefined if there is none. */
function titleOf({ context }: PDFDocument): string | undefined {
  return textIn(infoOf(context), 'Title').trim() || undefined;
}

function setIfPresent(dict: PDFDict, key: string, value: PDFObject | undefined): void {
  if (value !== undefined) dict.set(PDFName.of(key), value);
}
