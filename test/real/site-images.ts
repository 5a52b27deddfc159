/** The images and map tiles of the corpus site. */
import sharp from 'sharp';

/** The colour of all images. Oracles count its pixels. */
export const imageColour = '#00796b';

/** The two colours of the map tiles, which alternate as on a chess board. */
export const tileColours = ['#aad3df', '#f2efe9'] as const;

const tileSize = 256;
const tiles = new Map<string, Promise<Buffer>>();

export function image(name: string): string {
  const number = Number.parseInt(name, 10);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="240"><rect width="640" height="240" fill="${imageColour}"/><text x="320" y="140" font-size="60" text-anchor="middle" fill="#fff">${number}</text></svg>`;
}

export function tile([, x = 0, y = 0]: readonly number[]): Promise<Buffer> {
  const background = (x + y) % 2 === 0 ? tileColours[0] : tileColours[1];
  const made =
    tiles.get(background) ??
    sharp({ create: { width: tileSize, height: tileSize, channels: 3, background } })
      .png()
      .toBuffer();
  tiles.set(background, made);
  return made;
}
