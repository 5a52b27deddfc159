/** The text of a page as elements that are not seen, so that it can be selected and is read aloud. */
import type { PDFPageProxy } from 'pdfjs-dist';
import type { Engine } from './engine.ts';

interface Where {
  readonly layer: HTMLElement;
  readonly signal: AbortSignal;
}

/** Its sizes follow the property `--total-scale-factor` of the page. */
export async function putText(engine: Engine, page: PDFPageProxy, { layer, signal }: Where): Promise<void> {
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
 * While text is being selected, what is after it on the page is covered: otherwise the browser takes the nearest element in
 * the document's order, and pressing between two lines selects the rest of the page.
 */
export function attendSelection(layer: HTMLElement): () => void {
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

/** Chromium looks for the nearest in the order of the elements, so the cover stands where the selection ends. */
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
