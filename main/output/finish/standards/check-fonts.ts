/** Checks a font and the glyphs that are used of it (ISO 19005-2, 6.2.11). */
import { characterMap } from '../../pdf-reader/inspect-pdf.ts';
import { dictOrEmpty, type PdfFile } from '../../pdf-reader/pdf-file.ts';
import type { Dict, PdfValue } from '../../pdf-reader/pdf-syntax.ts';

/** The characters of a passage that have not been assigned to a glyph yet. */
export interface ReplacedText {
  remaining: string;
}

interface FontCheckOptions {
  readonly needsUnicode: boolean;
  readonly maxMappings: number;
}

export class FontCheck {
  readonly font: Dict;
  readonly isEmbedded: boolean;
  /** The content streams of the glyphs of a Type 3 font; empty for other fonts. */
  readonly glyphContents: readonly PdfValue[];
  /** Without the prefix of its subset. */
  readonly name: string;
  /** The number of bytes of a character code. */
  readonly codeBytes: 1 | 2;
  readonly #hasGlyphNumbers: boolean;
  /** The characters of codes that the font lacks, from the text that they stand for. */
  readonly added = new Map<number, string>();
  /** The characters that the font has for its codes; undefined if they need not be checked. */
  readonly characters: ReadonlyMap<number, string> | undefined;

  /** Reads the characters of the font, at most `maxMappings`, if `needsUnicode`. */
  constructor(file: PdfFile, font: Dict, { needsUnicode, maxMappings }: FontCheckOptions) {
    const dictOf = (value: PdfValue | undefined) => dictOrEmpty(file, value);
    const subtype = font.get('Subtype');
    const encoding = file.resolve(font.get('Encoding'));
    const [descendant] = [file.resolve(font.get('DescendantFonts'))].flat();
    const inner = subtype === 'Type0' ? dictOf(descendant) : font;
    this.font = font;
    this.name = fontName(inner);
    this.codeBytes = subtype === 'Type0' ? 2 : 1;
    this.#hasGlyphNumbers =
      subtype === 'Type0' && typeof encoding === 'string' && encoding.startsWith('Identity-');
    this.glyphContents = subtype === 'Type3' ? [...dictOf(font.get('CharProcs')).values()] : [];
    const descriptor = dictOf(inner.get('FontDescriptor'));
    this.isEmbedded =
      subtype === 'Type3' || ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor.has(key));
    const map = font.get('ToUnicode');
    const isChecked = needsUnicode && (subtype === 'Type0' || subtype === 'Type3');
    this.characters = isChecked
      ? characterMap(map === undefined ? new Uint8Array() : file.stream(map), maxMappings)
      : undefined;
  }

  /**
   * Checks strings that are shown in this font, and returns why they are not allowed; empty if they are allowed. A glyph without
   * characters, such as one of several forms of an Arabic letter, gets those of `replacedText`.
   */
  check(strings: readonly Uint8Array[], replacedText?: ReplacedText): readonly string[] {
    const reasons = new Set<string>();
    for (const text of strings)
      for (let at = 0; at < text.length; at += this.codeBytes) {
        const code = this.codeBytes === 2 ? (text[at] ?? 0) * 256 + (text[at + 1] ?? 0) : (text[at] ?? 0);
        if (code === 0 && this.#hasGlyphNumbers)
          reasons.add(
            'it contains a character that no installed font has; install a font with it (see glyphs-missing in the debug log), or remove it',
          );
        else if (!this.#hasCharacters(code, replacedText))
          reasons.add(
            `a glyph of the font ${this.name} has no character, so its text cannot be extracted; use another font, or a standard without the letter u`,
          );
      }
    return [...reasons];
  }

  #hasCharacters(code: number, replacedText: ReplacedText | undefined): boolean {
    if (this.characters === undefined || this.added.has(code)) return true;
    if (isUsable(this.characters.get(code))) return true;
    if (replacedText === undefined) return false;
    // Further glyphs of the passage only complete the first one.
    this.added.set(code, replacedText.remaining === '' ? zeroWidthSpace : replacedText.remaining);
    replacedText.remaining = '';
    return true;
  }
}

const zeroWidthSpace = '\u200b';

/** Returns whether PDF/A allows the characters of a glyph (6.2.11.7.2). Chromium writes U+0000 for a glyph without characters. */
function isUsable(characters: string | undefined): boolean {
  return characters !== undefined && !/[\0\uFEFF\uFFFE]/.test(characters);
}

/** Returns the name of a font without the prefix of its subset, such as `ABCDEF+`. */
function fontName(font: Dict): string {
  const name = font.get('BaseFont') ?? font.get('Name');
  return typeof name === 'string' ? name.replace(/^[A-Z]{6}\+/, '') : 'without a name';
}
