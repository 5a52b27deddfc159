/**
 * Draws the pages of a PDF and reads their words and fonts, with PDFium as WebAssembly. PDFium is Chromium's PDF viewer. In
 * WebAssembly, a damaged document can neither crash this process nor read files.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type {
  DrawnSize,
  PageTextAndFonts,
  ComparableDocument,
  PositionedWord,
  UsedFont,
} from './comparable-document.ts';
import type { PixelData } from './pixels.ts';

/** The functions of PDFium that are used here. The package's types declare only some of them. A pointer is a number. */
interface Pdfium {
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
  readonly _malloc: (bytes: number) => number;
  readonly _free: (pointer: number) => void;
  readonly _FPDF_InitLibrary: () => void;
  readonly _FPDF_LoadMemDocument: (bytes: number, length: number, password: number) => number;
  readonly _FPDF_GetLastError: () => number;
  readonly _FPDF_GetPageCount: (document: number) => number;
  readonly _FPDF_GetPageSizeByIndexF: (document: number, index: number, size: number) => number;
  readonly _FPDF_LoadPage: (document: number, index: number) => number;
  readonly _FPDF_ClosePage: (page: number) => void;
  readonly _FPDF_GetPageWidthF: (page: number) => number;
  readonly _FPDF_GetPageHeightF: (page: number) => number;
  readonly _FPDF_PageToDevice: (page: number, ...numbers: number[]) => number;
  readonly _FPDFBitmap_CreateEx: (...numbers: number[]) => number;
  readonly _FPDFBitmap_FillRect: (bitmap: number, ...numbers: number[]) => void;
  readonly _FPDFBitmap_GetBuffer: (bitmap: number) => number;
  readonly _FPDFBitmap_Destroy: (bitmap: number) => void;
  readonly _FPDF_RenderPageBitmap: (bitmap: number, page: number, ...numbers: number[]) => void;
  readonly _FPDFDOC_InitFormFillEnvironment: (document: number, callbacks: number) => number;
  readonly _FORM_OnAfterLoadPage: (page: number, form: number) => void;
  readonly _FORM_OnBeforeClosePage: (page: number, form: number) => void;
  readonly _FPDF_FFLDraw: (form: number, bitmap: number, page: number, ...numbers: number[]) => void;
  readonly _FPDFText_LoadPage: (page: number) => number;
  readonly _FPDFText_ClosePage: (textPage: number) => void;
  readonly _FPDFText_CountChars: (textPage: number) => number;
  readonly _FPDFText_GetUnicode: (textPage: number, index: number) => number;
  readonly _FPDFText_IsHyphen: (textPage: number, index: number) => number;
  readonly _FPDFText_GetCharOrigin: (textPage: number, index: number, x: number, y: number) => number;
  readonly _FPDFText_GetTextObject: (textPage: number, index: number) => number;
  readonly _FPDFTextObj_GetFont: (textObject: number) => number;
  readonly _FPDFFont_GetBaseFontName: (font: number, buffer: number, length: number) => number;
  readonly _FPDFFont_GetIsEmbedded: (font: number) => number;
}

/** 144 dpi shows what a reader can see. */
const preferredScale = 1.5;
/** FPDF_ANNOT: draw annotations. FPDF_REVERSE_BYTE_ORDER: red, green, blue, alpha. */
const renderFlags = 0x01 | 0x10;
/** FPDFBitmap_BGRA, four bytes for each pixel. */
const bitmapFormat = 4;
const white = 0xffffffff;
/** The version and size of FPDF_FORMFILLINFO. The structure has less than this size. */
const formCallbacksVersion = 2;
const formCallbacksBytes = 256;
/** PDFium returns positions on the page as whole numbers, so they are measured on a page that is larger by this factor. */
const positionPrecision = 100;

const openErrors: Readonly<Record<number, string>> = {
  3: 'The file is not a PDF, or it is damaged.',
  4: 'The PDF is encrypted, and the password is missing or wrong.',
  5: 'The PDF uses an encryption that PDFium does not support.',
};

/**
 * Opens a PDF. `password`: for an encrypted document.
 * @throws Error with a message for the report if the document cannot be opened
 */
export async function openPdfPages(bytes: Uint8Array, password = ''): Promise<ComparableDocument> {
  const document = new PdfPages(bytes, password);
  await document.open();
  return document;
}

interface OpenDocument {
  readonly pdfium: Pdfium;
  readonly pointer: number;
  /** The environment that draws form fields; 0 if it cannot be created. */
  readonly form: number;
}

/**
 * A document with its own instance of PDFium. A page on which PDFium aborts leaves the instance in an undefined state, so the next
 * page is read with a new one.
 */
class PdfPages implements ComparableDocument {
  readonly preferredScale = preferredScale;
  readonly #bytes: Uint8Array;
  readonly #password: string;
  #opened: OpenDocument | undefined;
  #pages = 0;

  constructor(bytes: Uint8Array, password: string) {
    this.#bytes = bytes;
    this.#password = password;
  }

  get pages(): number {
    return this.#pages;
  }

  async open(): Promise<OpenDocument> {
    if (this.#opened !== undefined) return this.#opened;
    const pdfium = await startPdfium();
    const bytes = copyToHeap(pdfium, this.#bytes);
    const password = copyToHeap(pdfium, Buffer.from(`${this.#password}\0`));
    const pointer = pdfium._FPDF_LoadMemDocument(bytes, this.#bytes.length, password);
    if (pointer === 0)
      throw new Error(openErrors[pdfium._FPDF_GetLastError()] ?? 'PDFium cannot open the PDF.');
    this.#pages = pdfium._FPDF_GetPageCount(pointer);
    this.#opened = { pdfium, pointer, form: openForm(pdfium, pointer) };
    return this.#opened;
  }

  async sizeOf(page: number): Promise<DrawnSize> {
    const { pdfium, pointer } = await this.open();
    const size = pdfium._malloc(8);
    const found = pdfium._FPDF_GetPageSizeByIndexF(pointer, page - 1, size);
    const [width = 0, height = 0] = new Float32Array(pdfium.HEAPU8.buffer, size, 2);
    pdfium._free(size);
    if (found === 0 || !(width > 0 && height > 0))
      throw new Error('PDFium cannot read the size of the page.');
    return { width, height };
  }

  draw(page: number, scale: number): Promise<PixelData> {
    return this.#onPage(page, ({ pdfium, form }, handle) => drawPage({ pdfium, form, page: handle }, scale));
  }

  textOf(page: number): Promise<PageTextAndFonts> {
    return this.#onPage(page, ({ pdfium }, handle) => new TextReader(pdfium, handle, page).read());
  }

  close(): void {
    // The memory of an instance is freed with the instance.
    this.#opened = undefined;
  }

  async #onPage<T>(page: number, use: (document: OpenDocument, handle: number) => T): Promise<T> {
    const document = await this.open();
    const { pdfium, pointer } = document;
    try {
      const handle = pdfium._FPDF_LoadPage(pointer, page - 1);
      if (handle !== 0) {
        const result = use(document, handle);
        pdfium._FPDF_ClosePage(handle);
        return result;
      }
    } catch (problem) {
      this.#opened = undefined;
      throw problem;
    }
    throw new Error('PDFium cannot read the page.');
  }
}

let program: Promise<WebAssembly.Module> | undefined;

async function startPdfium(): Promise<Pdfium> {
  const { PDFiumModule } = await import('@hyzyla/pdfium');
  program ??= compileProgram();
  const compiled = await program;
  const instance = await PDFiumModule({
    instantiateWasm: (imports, onInstance) => {
      const created = new WebAssembly.Instance(compiled, imports);
      // The package declares a module here, but Emscripten takes the instance.
      onInstance(created);
      return created.exports;
    },
  });
  const pdfium = instance as unknown as Pdfium;
  pdfium._FPDF_InitLibrary();
  return pdfium;
}

async function compileProgram(): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm');
  return WebAssembly.compile(await readFile(file));
}

function copyToHeap(pdfium: Pdfium, bytes: Uint8Array): number {
  const pointer = pdfium._malloc(bytes.length);
  if (pointer === 0) throw new Error('There is not enough memory to open the PDF.');
  pdfium.HEAPU8.set(bytes, pointer);
  return pointer;
}

/** Returns an environment without callbacks. Nothing runs the scripts of the document. */
function openForm(pdfium: Pdfium, document: number): number {
  const callbacks = copyToHeap(pdfium, new Uint8Array(formCallbacksBytes));
  pdfium.HEAPU8[callbacks] = formCallbacksVersion;
  return pdfium._FPDFDOC_InitFormFillEnvironment(document, callbacks);
}

interface LoadedPage {
  readonly pdfium: Pdfium;
  readonly form: number;
  readonly page: number;
}

function drawPage({ pdfium, form, page }: LoadedPage, scale: number): PixelData {
  const width = Math.max(1, Math.round(pdfium._FPDF_GetPageWidthF(page) * scale));
  const height = Math.max(1, Math.round(pdfium._FPDF_GetPageHeightF(page) * scale));
  const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, bitmapFormat, 0, width * 4);
  if (bitmap === 0) throw new Error('There is not enough memory to draw the page.');
  pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
  pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, renderFlags);
  if (form !== 0) {
    pdfium._FORM_OnAfterLoadPage(page, form);
    pdfium._FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, renderFlags);
    pdfium._FORM_OnBeforeClosePage(page, form);
  }
  const start = pdfium._FPDFBitmap_GetBuffer(bitmap);
  const data = new Uint8ClampedArray(pdfium.HEAPU8.buffer.slice(start, start + width * height * 4));
  pdfium._FPDFBitmap_Destroy(bitmap);
  return { width, height, data };
}

/**
 * Reads the text that the content of a page paints; not the text of annotations and form fields, or of images. Text is split at
 * whitespace. A Chinese or Japanese character is a word, because these scripts have no spaces.
 */
class TextReader {
  readonly #pdfium: Pdfium;
  readonly #page: number;
  readonly #pageNumber: number;
  readonly #buffer: number;
  readonly #words: PositionedWord[] = [];
  readonly #fonts = new Map<number, UsedFont | undefined>();
  #word: PositionedWord | undefined;

  constructor(pdfium: Pdfium, page: number, pageNumber: number) {
    this.#pdfium = pdfium;
    this.#page = page;
    this.#pageNumber = pageNumber;
    this.#buffer = pdfium._malloc(bufferBytes);
  }

  read(): PageTextAndFonts {
    const textPage = this.#pdfium._FPDFText_LoadPage(this.#page);
    if (textPage === 0) throw new Error('PDFium cannot read the text of the page.');
    const characters = this.#pdfium._FPDFText_CountChars(textPage);
    let isHyphenated = false;
    for (let index = 0; index < characters; index += 1) {
      const character = characterOf(this.#pdfium._FPDFText_GetUnicode(textPage, index));
      // Joins a word that is hyphenated at the end of a line, because another layout may break the line elsewhere.
      if (this.#pdfium._FPDFText_IsHyphen(textPage, index) === 1) isHyphenated = true;
      else if (isBlank.test(character)) {
        if (!isHyphenated) this.#endWord();
      } else {
        isHyphenated = false;
        this.#add(character, textPage, index);
      }
    }
    this.#endWord();
    this.#pdfium._FPDFText_ClosePage(textPage);
    this.#pdfium._free(this.#buffer);
    const fonts = [...this.#fonts.values()].filter((font) => font !== undefined);
    return { words: this.#words, fonts };
  }

  #add(character: string, textPage: number, index: number): void {
    const isWholeWord = ideographic.test(character);
    if (isWholeWord) this.#endWord();
    const word = this.#word ?? { text: '', page: this.#pageNumber, ...this.#positionOf(textPage, index) };
    this.#word = { ...word, text: word.text + character };
    if (isWholeWord) this.#endWord();
    this.#recordFont(this.#pdfium._FPDFText_GetTextObject(textPage, index));
  }

  #endWord(): void {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
  }

  /** Returns the position on the page as displayed: rotated, and cut to its crop box. */
  #positionOf(textPage: number, index: number): { readonly x: number; readonly y: number } {
    const pdfium = this.#pdfium;
    const buffer = this.#buffer;
    pdfium._FPDFText_GetCharOrigin(textPage, index, buffer, buffer + 8);
    const [x = 0, y = 0] = new Float64Array(pdfium.HEAPU8.buffer.slice(buffer, buffer + 16));
    const width = Math.round(pdfium._FPDF_GetPageWidthF(this.#page) * positionPrecision);
    const height = Math.round(pdfium._FPDF_GetPageHeightF(this.#page) * positionPrecision);
    pdfium._FPDF_PageToDevice(this.#page, 0, 0, width, height, 0, x, y, buffer, buffer + 4);
    const [left = 0, top = 0] = new Int32Array(pdfium.HEAPU8.buffer.slice(buffer, buffer + 8));
    return { x: left / positionPrecision, y: top / positionPrecision };
  }

  #recordFont(textObject: number): void {
    // PDFium generates some characters, such as spaces, which belong to no object.
    if (textObject === 0) return;
    const font = this.#pdfium._FPDFTextObj_GetFont(textObject);
    if (font === 0 || this.#fonts.has(font)) return;
    this.#fonts.set(font, this.#fontOf(font));
  }

  /** Returns undefined for a font without a name, such as a Type 3 font. */
  #fontOf(font: number): UsedFont | undefined {
    const length = this.#pdfium._FPDFFont_GetBaseFontName(font, this.#buffer, bufferBytes);
    if (length <= 1 || length > bufferBytes) return undefined;
    const bytes = this.#pdfium.HEAPU8.subarray(this.#buffer, this.#buffer + length - 1);
    const name = Buffer.from(bytes).toString('utf8').replace(subsetPrefix, '');
    return { name, isEmbedded: this.#pdfium._FPDFFont_GetIsEmbedded(font) === 1 };
  }
}

/** A font name has at most 127 bytes (ISO 32000-1, annex C). */
const bufferBytes = 256;
const subsetPrefix = /^[A-Z]{6}\+/;
/** Control characters stand for codes without a character. */
const isBlank = /^[\s\x00-\x1f\u200b\ufffe\uffff]*$/;
const ideographic = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

function characterOf(code: number): string {
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
}
