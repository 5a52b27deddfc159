/** Opens a PDF for the viewer. */
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { signal } from '@preact/signals';
import type { SheetSize } from '../layout.ts';
import { newId, type DrawingOptions, type Sheets } from '../pages/sheets.ts';
import { openDrawingQueue } from './drawing-queue.ts';
import { measurePages, sizeOf } from './measure-pages.ts';
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

/** @throws PdfProblem if the PDF cannot be opened */
export async function openPdf(blob: Blob, password?: string): Promise<Sheets> {
  const engine = await pdfEngine();
  const data = new Uint8Array(await blob.arrayBuffer());
  try {
    const loading = await loadPdf(engine, data, password);
    const [first, encrypted] = await Promise.all([
      loading.document.getPage(1),
      isEncrypted(loading.document),
    ]);
    return sheetsOf(engine, loading, { first: sizeOf(first), encrypted });
  } catch (problem) {
    throw problemOf(problem);
  }
}

/** Returns whether a PDF is encrypted. A PDF with only an owner password is encrypted, and opens without a password. */
async function isEncrypted(document: PDFDocumentProxy): Promise<boolean> {
  const metadata = await document.getMetadata().catch(() => undefined);
  const info = metadata?.info as { readonly EncryptFilterName?: string | null } | undefined;
  return typeof info?.EncryptFilterName === 'string';
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
  const measured = measurePages(document, closed.signal).then((known) => {
    if (known !== undefined) sizes.value = known;
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

function problemOf(problem: unknown): PdfProblem {
  const { name, message, code } = problem as Error & { readonly code?: number };
  if (name !== 'PasswordException') return new PdfProblem('broken', message);
  // 2 is PasswordResponses.INCORRECT_PASSWORD of pdf.js.
  return new PdfProblem(code === 2 ? 'wrong password' : 'locked', message);
}

function ignore(): void {}
