/** Jobs with image output: small, tall, and in formats that Chromium does not write. */
import type { MakeJob, JobInputs } from '../job.ts';
import { cssColour } from '../job-markers.ts';

export const images: Readonly<Record<string, MakeJob>> = {
  png: (making) => plainImage(making, { format: 'png', width: 640, height: 480 }),
  jpg: (making) => plainImage(making, { format: 'jpg', width: 500, height: 700 }),
  'tall png': (making) => plainImage(making, { format: 'png', width: 1024, height: 4000 }),
  webp: (making) => plainImage(making, { format: 'webp', width: 320, height: 240 }),
  tiff: (making) => plainImage(making, { format: 'tiff', width: 300, height: 200 }),
};

/** A page with the colour of the job, except for a black strip of 20 pixels at the bottom. */
function plainImage(
  { word, colour }: JobInputs,
  { format, width, height }: { readonly format: string; readonly width: number; readonly height: number },
): ReturnType<MakeJob> {
  const text = `<body style="margin:0;background:${cssColour(colour)}"><div style="height:${height - 20}px">${word}</div>
    <div style="height:20px;background:#000"></div>`;
  const spots = [
    { x: width - 5, y: Math.round(height / 2), colour },
    { x: width - 5, y: height - 60, colour },
    { x: 5, y: height - 10, colour: [0, 0, 0] as const },
  ];
  return {
    fields: { text, output_format: format, screenshot_width: width },
    expected: [{ kind: 'image', format, width, height, spots }],
  };
}
