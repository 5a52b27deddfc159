/** Compares two outputs page by page, starting with the current page. */
import { signal, type ReadonlySignal } from '@preact/signals';
import type { PixelData } from '../../main/comparison/pixels.ts';
import type { Sheets } from '../viewer/pages/sheets.ts';
import type { DocumentView } from '../viewer/document-view.ts';
import type { Differences, PageDifference } from './difference.ts';
import { commonSizes, nextToCompare } from './difference.ts';
import type { ComparisonResult, ComparisonTask } from './difference-worker.ts';

export interface Comparer {
  readonly differences: ReadonlySignal<Differences>;
  /**
   * Resolves to an image in which the differing pixels of a page are opaque; to undefined if nothing differs or only one side has
   * the page.
   */
  readonly mask: (page: number) => Promise<ImageBitmap | undefined>;
  readonly close: () => void;
}

/** The number of cached masks. Each mask takes some megabytes. */
const maxMasks = 8;

export function openComparer(a: Sheets, b: Sheets, view: DocumentView): Comparer {
  const worker = new Worker(new URL('./difference-worker.ts', import.meta.url), { type: 'module' });
  const closed = new AbortController();
  const differences = signal<Differences>(new Map());
  const masks = new Map<number, Promise<ImageBitmap | undefined>>();
  const record = (page: number, found: PageDifference) => {
    differences.value = new Map(differences.value).set(page, found);
  };
  const comparePage = async (page: number): Promise<ImageBitmap | undefined> => {
    const [pixelsA, pixelsB] = await drawBoth({ a, b, page, signal: closed.signal });
    const result = await compareInWorker(worker, { id: page, a: pixelsA, b: pixelsB });
    const resized = pixelsA.width !== pixelsB.width || pixelsA.height !== pixelsB.height;
    const share = result.differing / result.total;
    record(page, result.differing === 0 ? { kind: 'identical' } : { kind: 'differs', share, resized });
    return result.mask;
  };
  const mask = (page: number) => {
    if (onlyIn(a, b, page) !== undefined) return Promise.resolve(undefined);
    const known = masks.get(page) ?? comparePage(page);
    // Moves the mask to the end of the map, so that the least recently used mask is dropped.
    masks.delete(page);
    masks.set(page, known);
    for (const oldest of [...masks.keys()].slice(0, -maxMasks)) masks.delete(oldest);
    return known;
  };
  const compareAll = async () => {
    await Promise.all([a.measured, b.measured]);
    while (!closed.signal.aborted) {
      const pages = commonSizes(a.sizes.value, b.sizes.value).length;
      const page = nextToCompare(differences.value, pages, view.page.peek());
      if (page === undefined) return;
      const side = onlyIn(a, b, page);
      if (side !== undefined) record(page, { kind: 'only', side });
      else
        await mask(page).catch(() => {
          record(page, { kind: 'unknown' });
        });
    }
  };
  void compareAll();
  return {
    differences,
    mask,
    close: () => {
      closed.abort();
      worker.terminate();
    },
  };
}

function onlyIn(a: Sheets, b: Sheets, page: number): 'a' | 'b' | undefined {
  if (page >= b.sizes.value.length) return 'a';
  return page >= a.sizes.value.length ? 'b' : undefined;
}

interface PagePair {
  readonly a: Sheets;
  readonly b: Sheets;
  readonly page: number;
  readonly signal: AbortSignal;
}

/** Draws both pages at the same scale. */
async function drawBoth({ a, b, page, signal }: PagePair): Promise<readonly [PixelData, PixelData]> {
  const { width, height } = commonSizes(a.sizes.value, b.sizes.value)[page] ?? { width: 1, height: 1 };
  // 144 dpi shows what a reader can see in a PDF. In an image, every pixel counts.
  const preferredScale = a.kind === 'image' ? devicePixelRatio : 1.5;
  const scale = Math.min(preferredScale, Math.sqrt(maxPixels / (width * height)));
  return [await drawPixels(a, { page, scale, signal }), await drawPixels(b, { page, scale, signal })];
}

/** The maximum number of pixels of a drawing. Two drawings and their mask are in memory at the same time. */
const maxPixels = 24e6;

interface Drawing {
  readonly page: number;
  readonly scale: number;
  readonly signal: AbortSignal;
}

async function drawPixels(sheets: Sheets, { page, scale, signal }: Drawing): Promise<PixelData> {
  const size = sheets.sizes.value[page] ?? { width: 1, height: 1 };
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(size.width * scale));
  canvas.height = Math.max(1, Math.round(size.height * scale));
  await sheets.draw(page, canvas, { urgency: 'comparison', signal });
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('There is not enough memory to draw the page.');
  const { width, height, data } = context.getImageData(0, 0, canvas.width, canvas.height);
  canvas.width = 0;
  return { width, height, data: new Uint8ClampedArray(data) };
}

function compareInWorker(worker: Worker, task: ComparisonTask): Promise<ComparisonResult> {
  return new Promise((resolve) => {
    const onMessage = ({ data }: MessageEvent<ComparisonResult>) => {
      if (data.id !== task.id) return;
      worker.removeEventListener('message', onMessage);
      resolve(data);
    };
    worker.addEventListener('message', onMessage);
    worker.postMessage(task, [task.a.data.buffer, task.b.data.buffer]);
  });
}
