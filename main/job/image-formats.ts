/** The formats of pictures, by the name of output_format, with what an answer says of them. */

export const imageTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
  avif: 'image/avif',
  ico: 'image/vnd.microsoft.icon',
  ppm: 'image/x-portable-pixmap',
  pgm: 'image/x-portable-graymap',
  pbm: 'image/x-portable-bitmap',
  pnm: 'image/x-portable-anymap',
  tga: 'image/x-tga',
  sgi: 'image/sgi',
  ras: 'image/x-sun-raster',
  sun: 'image/x-sun-raster',
} as const;

export type ImageFormat = keyof typeof imageTypes;

export const imageFormats = Object.keys(imageTypes) as readonly ImageFormat[];
