/** Writes the characters of the glyphs of a font (ISO 32000-1, 9.10.3), so that its text can be extracted. */
import { PDFRef, type PDFDocument } from '@cantoo/pdf-lib';
import type { FontCheck } from './check-fonts.ts';
import { isReference } from '../../pdf-reader/pdf-syntax.ts';

/** The largest number of entries in a section of a CMap (Adobe Technical Note 5014). */
const maxEntries = 100;

/** Replaces the ToUnicode map of a font with one that also contains the added characters. */
export function completeUnicodeMap(
  { context }: PDFDocument,
  { font, characters, added, codeBytes }: FontCheck,
): void {
  const existing = font.get('ToUnicode');
  if (!isReference(existing)) return;
  const map = new Map([...(characters ?? []), ...added]);
  const stream = context.flateStream(unicodeMap(map, codeBytes));
  context.assign(PDFRef.of(existing.object, existing.generation), stream);
}

function unicodeMap(characters: ReadonlyMap<number, string>, codeBytes: 1 | 2): string {
  const hex = (code: number) =>
    code
      .toString(16)
      .toUpperCase()
      .padStart(codeBytes * 2, '0');
  const entries = [...characters]
    .sort(([left], [right]) => left - right)
    .map(
      ([code, text]) =>
        `<${hex(code)}> <${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`,
    );
  const sections = Array.from({ length: Math.ceil(entries.length / maxEntries) }, (_, index) => {
    const part = entries.slice(index * maxEntries, (index + 1) * maxEntries);
    return `${part.length} beginbfchar\n${part.join('\n')}\nendbfchar\n`;
  });
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<${hex(0)}> <${'FF'.repeat(codeBytes)}>
endcodespacerange
${sections.join('')}endcmap
CMapName currentdict /CMap defineresource pop
end
end
`;
}
