/** Whether colours come out as they were asked for. */
import { pixelsOf, type Colour } from '../engine/pixel.ts';
import { convert, type Check } from './check.ts';

const side = 40;
const wanted: readonly (readonly [name: string, colour: Colour])[] = [
  ['red', [255, 0, 0]],
  ['green', [0, 128, 0]],
  ['blue', [0, 0, 255]],
  ['grey', [128, 128, 128]],
  ['black', [0, 0, 0]],
  ['white', [255, 255, 255]],
];

/** Of 255: a colour profile of the machine's shifts more. */
const tolerance = 3;

const html = `<!DOCTYPE html><style>body { margin: 0; background: white } div { height: ${side}px }</style>
${wanted.map(([name]) => `<div style="background: ${name}"></div>`).join('')}`;

export const colours: Check = {
  name: 'colours',
  advice: 'See that the display has 24 bits of colour (Xvfb: -screen 0 1280x1024x24).',
  async run(trial) {
    const { bytes } = await convert(html, { output_format: 'png', screenshot_width: 2 * side }, trial);
    const pixel = pixelsOf(bytes);
    wanted.forEach(([name, colour], index) => {
      const found = pixel(side, index * side + side / 2);
      if (!isLike(found, colour)) throw new Error(`what should be ${name} is ${found.join(', ')}`);
    });
    return `${wanted.length} colours of a picture are what they should be.`;
  },
};

export function isLike(one: Colour, other: Colour): boolean {
  return one.every((part, index) => Math.abs(part - (other[index] ?? NaN)) <= tolerance);
}
