/** Whether a picture is right in all of its height: it is captured in bands, and put together in a process of its own. */
import { pixelsOf, type Colour } from '../engine/pixel.ts';
import { isLike } from './colours.ts';
import { convert, type Check } from './check.ts';

const [width, height, stripe] = [450, 20_000, 500];

/** Each stripe differs from all others, so that none can stand for another. */
function colourOf(index: number): Colour {
  return [10 * (index % 20), 60 * Math.floor(index / 20), 255 - 6 * index];
}

const stripes = Array.from({ length: height / stripe }, (_, index) => colourOf(index));
const html = `<!DOCTYPE html><style>body { margin: 0 } div { height: ${stripe}px }</style>
${stripes.map((colour) => `<div style="background: rgb(${colour.join()})"></div>`).join('')}`;

export const tallPicture: Check = {
  name: 'tall picture',
  advice: 'See that there is memory, and that the work folder can be written.',
  async run(trial) {
    const { bytes } = await convert(html, { output_format: 'png', screenshot_width: width }, trial);
    const pixel = pixelsOf(bytes);
    stripes.forEach((colour, index) => {
      for (const y of [index * stripe, (index + 1) * stripe - 1]) {
        const found = pixel(width / 2, y);
        if (!isLike(found, colour))
          throw new Error(
            `row ${y} of a picture ${height} pixels tall is ${found.join()} instead of ${colour.join()}`,
          );
      }
    });
    return `A picture ${height.toLocaleString('en')} pixels tall is right from its first row to its last.`;
  },
};
