/** The canary: a small document that is converted in a window of each kind and checked, to test whether conversions work. */
import { pixelAt } from '../engine/health/pixel.ts';
import type { Options } from '../job/options.ts';
import type { Output } from '../output/output.ts';
import { inspect } from '../output/pdf-reader/inspect-pdf.ts';
import { convertInternal, inlineSource, type InternalJobDependencies } from './internal-job.ts';

/** A PNG of 2 by 2 pixels in one colour, shown enlarged. */
const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAD0lEQVR4nGNgaPgPQhAKACX2Bf2gcp/LAAAAAElFTkSuQmCC';
const expectedColour = [0, 128, 255] as const;
/** Side length of the shown image in CSS pixels. The image is in the upper left corner of the page. */
const side = 100;

const html = `<!DOCTYPE html><style>body { margin: 0 } img { display: block; width: ${side}px; height: ${side}px }</style>
<img src="data:image/png;base64,${image}"><p>Canary`;

/**
 * Converts the canary to a PDF and to an image, and checks both.
 * @throws Error if a conversion fails or its output is wrong; Failure unavailable if no window was free
 */
export async function convertCanary(
  dependencies: InternalJobDependencies,
  signal: AbortSignal,
): Promise<void> {
  const convertAs = (options: Partial<Options>) => {
    const source = inlineSource(html, { scripts: false, headerFooter: {} });
    return convertInternal({ id: 'canary', source, options, signal }, dependencies);
  };
  await checkDocument(await convertAs({ output_format: 'pdf' }));
  checkImage(await convertAs({ output_format: 'png', screenshot_width: 2 * side }));
}

async function checkDocument({ bytes }: Output): Promise<void> {
  const { pages, isBlank } = await inspect(bytes);
  if (pages !== 1) throw new Error(`the canary PDF has ${pages} pages instead of 1`);
  if (isBlank(0)) throw new Error('the canary PDF is blank');
  // Chromium compresses content streams, but not the dictionaries that name fonts and images.
  for (const part of ['/Font', '/Image'])
    if (!bytes.includes(part)) throw new Error(`the canary PDF has no ${part.slice(1).toLowerCase()}`);
}

function checkImage({ bytes }: Output): void {
  const foundColour = pixelAt(bytes, side / 2, side / 2);
  const matches = expectedColour.every(
    (channel, index) => Math.abs(channel - (foundColour[index] ?? -100)) <= 8,
  );
  if (!matches)
    throw new Error(
      `the canary image has the colour ${foundColour.join()} instead of ${expectedColour.join()}`,
    );
}
