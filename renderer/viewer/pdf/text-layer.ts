/** The text of a page as transparent elements, for selection and screen readers. */
import type { PDFPageProxy } from 'pdfjs-dist';
import type { PdfEngine } from './pdf-engine.ts';

interface TextLayerTarget {
  readonly layer: HTMLElement;
  readonly signal: AbortSignal;
}

/** Renders the text of a page. The size of the text depends on the custom property `--total-scale-factor` of the page element. */
export async function renderText(
  engine: PdfEngine,
  page: PDFPageProxy,
  { layer, signal }: TextLayerTarget,
): Promise<void> {
  const text = new engine.js.TextLayer({
    textContentSource: page.streamTextContent(),
    container: layer,
    viewport: page.getViewport({ scale: 1 }),
  });
  signal.addEventListener('abort', () => {
    text.cancel();
  });
  await text.render();
  const end = document.createElement('div');
  end.className = 'sheet-text-end';
  layer.append(end);
}

/**
 * While the user selects text, an invisible element covers the text after the selection. Without this cover, moving the pointer
 * between two lines would select the rest of the page. Returns a function that stops this.
 */
export function trackSelection(layer: HTMLElement): () => void {
  const begin = () => {
    layer.dataset.selecting = '';
  };
  const end = () => {
    delete layer.dataset.selecting;
  };
  const follow = () => {
    if ('selecting' in layer.dataset) coverAfter(layer, document.getSelection());
  };
  layer.addEventListener('pointerdown', begin);
  document.addEventListener('pointerup', end);
  document.addEventListener('selectionchange', follow);
  return () => {
    layer.removeEventListener('pointerdown', begin);
    document.removeEventListener('pointerup', end);
    document.removeEventListener('selectionchange', follow);
  };
}

/**
 * Moves the cover to the end of the selection that follows the pointer, because Chromium extends a selection to the nearest element
 * in document order.
 */
function coverAfter(layer: HTMLElement, selection: Selection | null): void {
  const cover = layer.querySelector('.sheet-text-end');
  const node = selection?.focusNode;
  if (cover === null || node === null || node === undefined || !layer.contains(node)) return;
  const run = (node instanceof Element ? node : node.parentElement)?.closest('[role=presentation]');
  if (run === null || run === undefined || run === layer) return;
  const isBackwards = selection?.direction === 'backward';
  if (isBackwards) run.before(cover);
  else run.after(cover);
}
