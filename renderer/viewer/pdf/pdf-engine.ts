/** Loads pdf.js when the first PDF is opened. All documents share one worker. */
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import type * as PdfJsModule from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentProxy, PDFWorker } from 'pdfjs-dist';

// This is the legacy build, because Chromium 130 (Electron 33), the oldest supported version, lacks features that the modern build
// uses.
type PdfJs = typeof PdfJsModule;

export interface PdfEngine {
  readonly js: PdfJs;
  readonly worker: PDFWorker;
}

let engine: Promise<PdfEngine> | undefined;

export function pdfEngine(): Promise<PdfEngine> {
  engine ??= start().catch((problem: unknown) => {
    engine = undefined;
    throw problem;
  });
  return engine;
}

async function start(): Promise<PdfEngine> {
  const js = await import('pdfjs-dist/legacy/build/pdf.mjs');
  // For an unknown scheme such as `platen-console:`, pdf.js would start its worker from a blob: URL, which the content security
  // policy forbids.
  const port = new Worker(workerUrl, { type: 'module' });
  return { js, worker: js.PDFWorker.create({ port }) };
}

export interface LoadedPdf {
  readonly document: PDFDocumentProxy;
  readonly destroy: () => void;
}

/** Loads a PDF. @throws PasswordException, InvalidPDFException and other errors of pdf.js */
export async function loadPdf(
  { js, worker }: PdfEngine,
  data: Uint8Array,
  password?: string,
): Promise<LoadedPdf> {
  const task = js.getDocument({
    data,
    worker,
    ...(password !== undefined && { password }),
    isEvalSupported: false,
    enableXfa: false,
    useWorkerFetch: true,
    cMapUrl: folder('cmaps'),
    standardFontDataUrl: folder('standard_fonts'),
    wasmUrl: folder('wasm'),
    iccUrl: folder('iccs'),
    verbosity: js.VerbosityLevel.ERRORS,
  });
  return { document: await task.promise, destroy: () => void task.destroy() };
}

/** Returns the URL of a folder with files of pdf.js. The build copies them (build/interface/pdfjs-files.mjs). */
function folder(name: string): string {
  return new URL(`console/assets/pdfjs/${name}/`, document.baseURI).href;
}
