/**
 * The canary: a small document converted through a window of each kind, and looked at, to know whether conversions work.
 */
import { pixelAt } from './engine/pixel.ts';
import type { Options } from './job/options.ts';
import type { Output } from './output/output.ts';
import { inspect } from './output/reading/inspect.ts';
import { convertOwn, ownDocument, type OwnHouse } from './own-job.ts';

/** Two pixels by two, shown larger, of one colour. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAD0lEQVR4nGNgaPgPQhAKACX2Bf2gcp/LAAAAAElFTkSuQmCC';
const colour = [0, 128, 255] as const;
/** CSS pixels, from the upper left corner. */
const side = 100;

const html = `<!DOCTYPE html><style>body { margin: 0 } img { display: block; width: ${side}px; height: ${side}px }</style>
<img src="data:image/png;base64,${picture}"><p>Canary`;

/** @throws Error when it cannot be converted, or comes out wrong; Failure unavailable when there was no window for it */
export async function convertCanary(house: OwnHouse, signal: AbortSignal): Promise<void> {
  const convertAs = (options: Partial<Options>) => {
    const source = ownDocument(html, { scripts: false, strips: {} });
    return convertOwn({ id: 'canary', source, options, signal }, house);
  };
  await checkDocument(await convertAs({ output_format: 'pdf' }));
  checkPicture(await convertAs({ output_format: 'png', screenshot_width: 2 * side }));
}

async function checkDocument({ bytes }: Output): Promise<void> {
  const { pages, isBlank } = await inspect(bytes);
  if (pages !== 1) throw new Error(`its document has ${pages} pages instead of 1`);
  if (isBlank(0)) throw new Error('its document is blank');
  // Chromium compresses contents, and not what they are made of.
  for (const part of ['/Font', '/Image'])
    if (!bytes.includes(part)) throw new Error(`its document has no ${part.slice(1).toLowerCase()}`);
}

function checkPicture({ bytes }: Output): void {
  const found = pixelAt(bytes, side / 2, side / 2);
  const isRight = colour.every((part, index) => Math.abs(part - (found[index] ?? -100)) <= 8);
  if (!isRight) throw new Error(`its picture has a pixel of ${found.join()} instead of ${colour.join()}`);
}
