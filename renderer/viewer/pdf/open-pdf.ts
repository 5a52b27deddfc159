/** Opens a PDF for the viewer. */
import type { PDFPageProxy } from 'pdfjs-dist';
import { signal } from '@preact/signals';
import type { SheetSize } from '../layout.ts';
import { newId, type DrawingOptions, type Sheets } from '../pages/sheets.ts';
import { openDrawingQueue } from './drawing-queue.ts';
import { loadPdf, pdfEngine, type PdfEngine, type LoadedPdf } from './pdf-engine.ts';
import { linksOf, outlineOf, positionOf } from './navigation.ts';
import { renderText } from './text-layer.ts';

/** Thrown for a PDF that cannot be opened. */
export class PdfProblem extends Error {
  readonly kind: 'locked' | 'wrong password' | 'broken';

  constructor(kind: PdfProblem['kind'], message: string) {
    super(message);
    this.name = 'PdfProblem';
    this.kind = kind;
  }
}

/** Opens a PDF. It counts as encrypted if a password is given. @throws PdfProblem if the PDF cannot be opened */
export async function openPdf(blob: Blob, password?: string): Promise<Sheets> {
  const engine = await pdfEngine();
  const data = new Uint8Array(await blob.arrayBuffer());
  try {
    const loading = await loadPdf(engine, data, password);
    const first = await loading.document.getPage(1);
    return sheetsOf(engine, loading, { first: sizeOf(first), encrypted: password !== undefined });
  } catch (problem) {
    throw problemOf(problem);
  }
}

function sheetsOf(
  engine: PdfEngine,
  loading: LoadedPdf,
  facts: { first: SheetSize; encrypted: boolean },
): Sheets {
  const { document } = loading;
  const queue = openDrawingQueue();
  const closed = new AbortController();
  const sizes = signal<readonly SheetSize[]>(Array<SheetSize>(document.numPages).fill(facts.first));
  const measured = measure(loading, closed.signal, (known) => {
    sizes.value = known;
  });
  const page = (number: number) => document.getPage(number + 1);
  return {
    id: newId(),
    kind: 'pdf',
    sizes,
    measured,
    draw: (number, canvas, order) => {
      const signal = AbortSignal.any([order.signal, closed.signal]);
      return queue.add(async () => drawPage(await page(number), canvas, signal), { ...order, signal });
    },
    pdf: {
      encrypted: facts.encrypted,
      renderText: async (number, layer, signal) => renderText(engine, await page(number), { layer, signal }),
      links: async (number) => linksOf(await page(number)),
      outline: async () => outlineOf(await document.getOutline()),
      positionOf: (target) => positionOf(document, target),
      release: (number) => void page(number).then((known) => known.cleanup(), ignore),
    },
    close: () => {
      closed.abort();
      loading.destroy();
    },
  };
}

async function drawPage(
  page: PDFPageProxy,
  canvas: HTMLCanvasElement,
  signal: DrawingOptions['signal'],
): Promise<void> {
  signal.throwIfAborted();
  const scale = canvas.width / page.getViewport({ scale: 1 }).width;
  const task = page.render({ canvas, viewport: page.getViewport({ scale }) });
  const cancel = () => {
    task.cancel();
  };
  signal.addEventListener('abort', cancel);
  await task.promise.finally(() => {
    signal.removeEventListener('abort', cancel);
  });
}

/** Measures the pages in the background, in batches, so that a thousand pages do not delay the first one. */
async function measure(
  { document }: LoadedPdf,
  closed: AbortSignal,
  onSizes: (sizes: readonly SheetSize[]) => void,
): Promise<void> {
  const known: SheetSize[] = [];
  try {
    while (known.length < document.numPages && !closed.aborted) {
      const numbers = Array.from({ length: Math.min(50, document.numPages - known.length) });
      const from = known.length + 1;
      const pages = await Promise.all(numbers.map((_, index) => document.getPage(from + index)));
      known.push(...pages.map(sizeOf));
    }
  } catch {
    // An unreadable page ends the measuring. All pages of its batch and after it keep the size of the first page. Drawing the
    // unreadable page shows an error.
  }
  const [first] = known;
  if (closed.aborted || first === undefined) return;
  const isAlike = ({ width, height }: SheetSize) => width === first.width && height === first.height;
  if (!known.every(isAlike))
    onSizes(Array.from({ length: document.numPages }, (_, page) => known[page] ?? first));
}

/** Returns the size in CSS pixels. A point is 1/72 inch, a CSS pixel 1/96 inch. */
function sizeOf(page: PDFPageProxy): SheetSize {
  const { width, height } = page.getViewport({ scale: 96 / 72 });
  return { width, height };
}

function problemOf(problem: unknown): PdfProblem {
  const { name, message, code } = problem as Error & { readonly code?: number };
  if (name !== 'PasswordException') return new PdfProblem('broken', message);
  // 2 is PasswordResponses.INCORRECT_PASSWORD of pdf.js.
  return new PdfProblem(code === 2 ? 'wrong password' : 'locked', message);
}

function ignore(): void {}
