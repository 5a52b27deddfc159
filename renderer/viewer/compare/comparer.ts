/** Compares two outputs page by page, starting with the current page. */
import { signal, type ReadonlySignal } from '@preact/signals';
import type { Sheets } from '../pages/sheets.ts';
import type { DocumentView } from '../document-view.ts';
import type { Differences, PageDifference } from './difference.ts';
import { commonSizes, nextToCompare } from './difference.ts';
import type { Answer, Question } from './difference-worker.ts';
import type { PixelData } from './pixels.ts';

export interface Comparer {
  readonly differences: ReadonlySignal<Differences>;
  /** The differing pixels of a page, opaque. Undefined if nothing differs or only one side has the page. */
  readonly mask: (page: number) => Promise<ImageBitmap | undefined>;
  readonly close: () => void;
}

/** Each mask takes some megabytes. */
const mostMasks = 8;

export function openComparer(a: Sheets, b: Sheets, view: DocumentView): Comparer {
  const worker = new Worker(new URL('./difference-worker.ts', import.meta.url), { type: 'module' });
  const closed = new AbortController();
  const differences = signal<Differences>(new Map());
  const masks = new Map<number, Promise<ImageBitmap | undefined>>();
  const note = (page: number, found: PageDifference) => {
    differences.value = new Map(differences.value).set(page, found);
  };
  const compared = async (page: number): Promise<ImageBitmap | undefined> => {
    const [one, other] = await pixelsOf({ a, b, page, signal: closed.signal });
    const answer = await ask(worker, { id: page, a: one, b: other });
    const resized = one.width !== other.width || one.height !== other.height;
    const share = answer.differing / answer.of;
    note(page, answer.differing === 0 ? { is: 'identical' } : { is: 'differs', share, resized });
    return answer.mask;
  };
  const mask = (page: number) => {
    if (onlyIn(a, b, page) !== undefined) return Promise.resolve(undefined);
    const known = masks.get(page) ?? compared(page);
    // Moves the mask to the end, so that the least recently used one is dropped.
    masks.delete(page);
    masks.set(page, known);
    for (const oldest of [...masks.keys()].slice(0, -mostMasks)) masks.delete(oldest);
    return known;
  };
  const compareAll = async () => {
    await Promise.all([a.measured, b.measured]);
    while (!closed.signal.aborted) {
      const pages = commonSizes(a.sizes.value, b.sizes.value).length;
      const page = nextToCompare(differences.value, pages, view.page.peek());
      if (page === undefined) return;
      const side = onlyIn(a, b, page);
      if (side !== undefined) note(page, { is: 'only', side });
      else
        await mask(page).catch(() => {
          note(page, { is: 'unknown' });
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

interface PageOfBoth {
  readonly a: Sheets;
  readonly b: Sheets;
  readonly page: number;
  readonly signal: AbortSignal;
}

/** Draws both pages at the same scale. */
async function pixelsOf({ a, b, page, signal }: PageOfBoth): Promise<readonly [PixelData, PixelData]> {
  const { width, height } = commonSizes(a.sizes.value, b.sizes.value)[page] ?? { width: 1, height: 1 };
  // 144 dpi shows what a reader can see. In images, every pixel counts.
  const fine = a.kind === 'picture' ? devicePixelRatio : 1.5;
  const scale = Math.min(fine, Math.sqrt(mostPixels / (width * height)));
  return [await pixels(a, { page, scale, signal }), await pixels(b, { page, scale, signal })];
}

/** Limits one drawing; two drawings and their difference are in memory at a time. */
const mostPixels = 24e6;

interface Drawing {
  readonly page: number;
  readonly scale: number;
  readonly signal: AbortSignal;
}

async function pixels(sheets: Sheets, { page, scale, signal }: Drawing): Promise<PixelData> {
  const size = sheets.sizes.value[page] ?? { width: 1, height: 1 };
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(size.width * scale));
  canvas.height = Math.max(1, Math.round(size.height * scale));
  await sheets.draw(page, canvas, { urgency: 'comparison', signal });
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('Not enough memory to draw the page.');
  const { width, height, data } = context.getImageData(0, 0, canvas.width, canvas.height);
  canvas.width = 0;
  return { width, height, data: new Uint8ClampedArray(data) };
}

function ask(worker: Worker, question: Question): Promise<Answer> {
  return new Promise((resolve) => {
    const onMessage = ({ data }: MessageEvent<Answer>) => {
      if (data.id !== question.id) return;
      worker.removeEventListener('message', onMessage);
      resolve(data);
    };
    worker.addEventListener('message', onMessage);
    worker.postMessage(question, [question.a.data.buffer, question.b.data.buffer]);
  });
}
