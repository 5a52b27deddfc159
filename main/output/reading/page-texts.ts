/** The text of each page of a PDF, as far as its fonts say what their codes mean: in the order in which it is painted. */
import { readPdf } from '../finish/pdf-document.ts';
import { fileOf } from '../finish/file-of.ts';
import { operations, type Operation } from './content-stream.ts';
import { contentOf, findPage, fontReader } from './inspect-pdf.ts';
import { dictIn, type PdfFile } from './pdf-file.ts';
import type { Dict, Value } from './pdf-syntax.ts';

/** Forms inside forms that are looked into; a header is one. */
const deepestForm = 10;

/** Without white space, which PDFs write or leave out as they like. @throws Error for what is no PDF */
export async function pageTexts(bytes: Buffer): Promise<readonly string[]> {
  const file = fileOf(await readPdf(bytes));
  const root = dictIn(file.resolve(file.catalogue.get('Pages')));
  return Array.from({ length: Number(root.get('Count')) }, (_, index) => {
    const page = findPage(file, root, index);
    return textOf(file, { content: contentOf(file, page), holder: page }).replace(/\s+/g, '');
  });
}

interface Painted {
  readonly content: Uint8Array;
  /** The page or form whose resources it names. */
  readonly holder: Dict;
  readonly depth?: number;
}

function textOf(file: PdfFile, { content, holder, depth = 0 }: Painted): string {
  let read: ReturnType<typeof fontReader> | undefined;
  let text = '';
  for (const operation of operations(content)) {
    const [operand] = operation.operands;
    if (operation.operator === 'Tf' && typeof operand === 'string') read = fontReader(file, holder, operand);
    if (operation.operator === 'Do' && typeof operand === 'string' && depth < deepestForm)
      text += textOfForm(file, { holder, depth }, operand);
    for (const shown of shownBy(operation)) text += (read?.(shown) ?? []).join('');
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
  // A form without resources has those of the page (ISO 32000-1, 7.8.3).
  const own: Dict = form.has('Resources') ? form : new Map([...form, ...holder]);
  return textOf(file, { content: file.stream(reference), holder: own, depth: depth + 1 });
}

function shownBy({ operator, operands }: Operation): readonly Uint8Array[] {
  const [operand] = operands;
  if (operator === 'TJ') return Array.isArray(operand) ? operand.filter(isText) : [];
  return ['Tj', "'", '"'].includes(operator) ? operands.filter(isText) : [];
}

function isText(value: Value): value is Uint8Array {
  return value instanceof Uint8Array;
}
