/**
 * Draws the icon (the printing press of build/icons/platen.svg) as a PNG of any size, with a badge that shows the service's state.
 */
import { crc32, deflateSync } from 'node:zlib';
import type { TrayView } from './tray-menu.ts';

/**
 * What the icon is drawn for. `light` and `dark`: a panel of that brightness. `template`: a macOS template image, which is black
 * and which the system tints. `application`: the application icon, which has its own background.
 */
export type IconBackground = 'light' | 'dark' | 'template' | 'application';

export interface Icon {
  readonly status: TrayView['status'];
  /** Number in the badge while the status is `busy`. Above 9, the badge shows `+`. */
  readonly jobs: number;
  readonly background: IconBackground;
}

/** The sizes in the .ico files of the tray: 16 pixels at the scales 100, 125, 150, 200, 250 and 300 percent. */
export const trayIcoSizes = [16, 20, 24, 32, 40, 48] as const;

/** Returns the name of the .ico file, without extension. Icons that look the same have the same name. */
export function trayIcoName({ background, status, jobs }: Icon): string {
  if (status !== 'busy') return `${background}-${status}`;
  return `${background}-busy-${jobs > 9 ? 'many' : Math.max(jobs, 1)}`;
}

/** Returns all icons that differ on Windows, which has no template images. */
export function allTrayIcos(): Icon[] {
  const busy = Array.from({ length: 10 }, (_, index) => ({ status: 'busy' as const, jobs: index + 1 }));
  const others = (['ready', 'stopping', 'paused', 'unavailable'] as const).map((status) => ({
    status,
    jobs: 0,
  }));
  return (['light', 'dark'] as const).flatMap((background) =>
    [...others, ...busy].map(({ status, jobs }) => ({ status, jobs, background })),
  );
}

/** Width and height of the coordinate system in which the shapes are defined. */
const grid = 32;
/** Samples per pixel in each direction (antialiasing). */
const samplesPerSide = 4;

/** A rectangle with rounded corners. */
type IconBox = readonly [left: number, top: number, right: number, bottom: number, radius: number];

/** The shapes of the press: stem, plate and sheet of paper. */
const pressBoxes: readonly IconBox[] = [
  [14, 2, 18, 9, 0.5],
  [3, 8, 29, 15, 2],
  [7, 17.5, 25, 30, 1.5],
];
const tile: IconBox = [0, 0, grid, grid, 7];
/** Scale of the press in the application icon, relative to its tile. */
const applicationScale = 0.66;

const badge = { x: 22, y: 22, radius: 9.5, gap: 2 } as const;
/** Width and height of one dot of a badge sign. */
const dotSize = 2.5;

const inkByBackground: Readonly<Record<IconBackground, Pixel>> = {
  light: [31, 42, 48, 255],
  dark: [244, 241, 234, 255],
  template: [0, 0, 0, 255],
  application: [244, 241, 234, 255],
};
const tileColour: Pixel = [11, 70, 86, 255];
const white: Pixel = [255, 255, 255, 255];
const transparent: Pixel = [0, 0, 0, 0];

const badgeColours = {
  busy: [10, 112, 133, 255],
  paused: [92, 99, 112, 255],
  unavailable: [192, 57, 43, 255],
} as const;

/** Badge signs, three dots wide and five dots high. */
const signs: Readonly<Record<string, string>> = {
  '1': '.x.xx..x..x.xxx',
  '2': 'xx...x.x.x..xxx',
  '3': 'xx...x.x...xxx.',
  '4': 'x.xx.xxxx..x..x',
  '5': 'xxxx..xx...xxx.',
  '6': '.xxx..xxxx.xxxx',
  '7': 'xxx..x.x..x..x.',
  '8': 'xxxx.xxxxx.xxxx',
  '9': 'xxxx.xxxx..xxx.',
  '+': '....x.xxx.x....',
  '!': '.x..x..x.....x.',
  '=': 'x.xx.xx.xx.xx.x',
};

/** Returns a square PNG with `size` pixels per side. */
export function drawIcon(icon: Icon, size: number): Buffer {
  return encodePng(size, (column, row) => mean(samplesOf(icon, [column, row], size)));
}

function samplesOf(icon: Icon, [column, row]: readonly [number, number], size: number): Pixel[] {
  const scale = grid / size;
  return Array.from({ length: samplesPerSide * samplesPerSide }, (_, sample) => {
    const x = column + ((sample % samplesPerSide) + 0.5) / samplesPerSide;
    const y = row + (Math.floor(sample / samplesPerSide) + 0.5) / samplesPerSide;
    return colourAt(icon, x * scale, y * scale);
  });
}

function colourAt(icon: Icon, x: number, y: number): Pixel {
  if (icon.background === 'application') return applicationColourAt(x, y);
  const sign = signOf(icon);
  const distance = Math.hypot(x - badge.x, y - badge.y);
  if (sign === undefined || distance > badge.radius + badge.gap)
    return inPress(x, y) ? pressColour(icon) : transparent;
  if (distance > badge.radius) return transparent;
  const template = icon.background === 'template';
  if (inSign(sign, x, y)) return template ? transparent : white;
  return template ? inkByBackground.template : badgeColour(icon.status);
}

function applicationColourAt(x: number, y: number): Pixel {
  if (!inBox(tile, x, y)) return transparent;
  const [px, py] = [x, y].map((value) => (value - grid / 2) / applicationScale + grid / 2) as [
    number,
    number,
  ];
  return inPress(px, py) ? inkByBackground.application : tileColour;
}

function pressColour({ background, status }: Icon): Pixel {
  const [red, green, blue, alpha] = inkByBackground[background];
  // The icon is dimmed while the service takes no jobs.
  return status === 'paused' || status === 'stopping'
    ? [red, green, blue, alpha * 0.6]
    : inkByBackground[background];
}

function badgeColour(status: Icon['status']): Pixel {
  return status === 'busy' || status === 'unavailable' ? badgeColours[status] : badgeColours.paused;
}

function signOf({ status, jobs }: Icon): string | undefined {
  switch (status) {
    case 'ready':
    case 'stopping':
      return undefined;
    case 'busy':
      return signs[jobs > 9 ? '+' : String(Math.max(jobs, 1))];
    case 'paused':
      return signs['='];
    case 'unavailable':
      return signs['!'];
  }
}

function inSign(sign: string, x: number, y: number): boolean {
  const column = Math.floor((x - badge.x) / dotSize + 1.5);
  const row = Math.floor((y - badge.y) / dotSize + 2.5);
  return column >= 0 && column < 3 && row >= 0 && row < 5 && sign[row * 3 + column] === 'x';
}

function inPress(x: number, y: number): boolean {
  return pressBoxes.some((box) => inBox(box, x, y));
}

function inBox([left, top, right, bottom, radius]: IconBox, x: number, y: number): boolean {
  if (x < left || x > right || y < top || y > bottom) return false;
  const dx = Math.max(left + radius - x, x - right + radius, 0);
  const dy = Math.max(top + radius - y, y - bottom + radius, 0);
  return Math.hypot(dx, dy) <= radius;
}

/** Returns the average colour, weighted by opacity so that edges do not darken. */
function mean(samples: readonly Pixel[]): Pixel {
  const alpha = samples.reduce((sum, pixel) => sum + pixel[3], 0);
  if (alpha === 0) return transparent;
  const channel = (index: 0 | 1 | 2) =>
    Math.round(samples.reduce((sum, pixel) => sum + pixel[index] * pixel[3], 0) / alpha);
  return [channel(0), channel(1), channel(2), Math.round(alpha / samples.length)];
}

// PNG encoding (RFC 2083).

/** Red, green, blue and opacity, 0 to 255. */
type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

/** Encodes a square image with `size` pixels per side. */
function encodePng(size: number, pixelAt: (column: number, row: number) => Pixel): Buffer {
  const stride = 1 + size * 4;
  const rows = Buffer.alloc(size * stride);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1)
      // The first byte of a row is its filter type; 0 means none.
      rows.set(pixelAt(column, row), row * stride + 1 + column * 4);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
    chunk('IHDR', header(size)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns the data of the IHDR chunk: eight bits per channel, RGBA. */
function header(size: number): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(size, 4);
  bytes.set([8, 6], 8);
  return bytes;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
