/** Extracts the text of each page of a PDF in painting order, as far as its fonts map codes to characters. */
import { operations, type Operation, type Dict, type PdfValue } from './pdf-syntax.ts';
import { contentOf, findPage, fontReader } from './inspect-pdf.ts';
import { dictIn, type PdfFile } from './pdf-file.ts';

/** The deepest nesting of forms that is read. Headers and footers are forms. */
const maxFormDepth = 10;

/**
 * Returns the text of each page without whitespace, which PDFs may express by positions only. @throws Error if the bytes are no
 * PDF
 */
export async function pageTexts(bytes: Buffer): Promise<readonly string[]> {
  // Imported on demand, like in inspect-pdf.ts.
  const { pdfFileOf, readPdf } = await import('../finish/pdf-document.ts');
  const file = pdfFileOf(await readPdf(bytes));
  const root = dictIn(file.resolve(file.catalogue.get('Pages')));
  return Array.from({ length: Number(root.get('Count')) }, (_, index) => {
    const page = findPage(file, root, index);
    return textOf(file, { content: contentOf(file, page), holder: page }).replace(/\s+/g, '');
  });
}

interface PaintedText {
  readonly content: Uint8Array;
  /** The page or form that contains the resources. */
  readonly holder: Dict;
  readonly depth?: number;
}

function textOf(file: PdfFile, { content, holder, depth = 0 }: PaintedText): string {
  let read: ReturnType<typeof fontReader> | undefined;
  let text = '';
  for (const operation of operations(content)) {
    const [operand] = operation.operands;
    if (operation.operator === 'Tf' && typeof operand === 'string') read = fontReader(file, holder, operand);
    if (operation.operator === 'Do' && typeof operand === 'string' && depth < maxFormDepth)
      text += textOfForm(file, { holder, depth }, operand);
    for (const shown of paintedStrings(operation)) text += (read?.(shown) ?? []).join('');
  }
  return text;
}

function textOfForm(
  file: PdfFile,
  { holder, depth }: { readonly holder: Dict; readonly depth: number },
  name: string,
): string {
  const resources = dictIn(file.resolve(holder.get('Resources')));
  const reference = dictIn(file.resolve(resources.get('XObject'))).get(name);
  const form = dictIn(file.resolve(reference));
  if (form.get('Subtype') !== 'Form') return '';
  // A form without resources uses those of the page or form that draws it (ISO 32000-1, 7.8.3).
  const resourceHolder: Dict = form.has('Resources') ? form : new Map([...form, ...holder]);
  return textOf(file, { content: file.stream(reference), holder: resourceHolder, depth: depth + 1 });
}

/** Returns the strings that an operation paints; none for operations that paint no text. */
export function paintedStrings({ operator, operands }: Operation): readonly Uint8Array[] {
  const [operand] = operands;
  if (operator === 'TJ') return Array.isArray(operand) ? operand.filter(isText) : [];
  return ['Tj', "'", '"'].includes(operator) ? operands.filter(isText) : [];
}

function isText(value: PdfValue): value is Uint8Array {
  return value instanceof Uint8Array;
}
