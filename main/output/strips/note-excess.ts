/** Tells the debug log of headers and footers that are larger than their place. */
import type { WindowRun } from '../../engine/engine.ts';
import type { Excess } from '../../engine/programs/strip.ts';
import { pixelsPerInch } from '../../job/layout.ts';
import type { StripsWanted } from './print-strips.ts';

type Strip = Pick<StripsWanted, 'side' | 'width' | 'height' | 'scale'>;

/** Writes nothing when all of it fits. */
export function noteExcess({ log }: WindowRun, strip: Strip, { height, width }: Excess): void {
  if (height < 1 && width < 1) return;
  const { side } = strip;
  const inches = (pixels: number) => (pixels < 1 ? 0 : (pixels * strip.scale) / pixelsPerInch);
  const [content, wide] = [strip.height + inches(height), strip.width + inches(width)];
  const sentences = [
    ...(height < 1
      ? []
      : [tooTall(height, inches(height), `set ${side}_height to at least ${content.toFixed(2)}in`)]),
    ...(width < 1 ? [] : [tooWide(width, inches(width), strip)]),
  ];
  log.write({
    kind: 'strip',
    text: sentences.map((sentence) => `The ${side} is ${sentence}.`).join(' '),
    detail: {
      ...{ strip: side, content, place: strip.height },
      ...(width >= 1 && { width: { content: wide, place: strip.width } }),
    },
  });
}

function tooTall(pixels: number, inches: number, advice: string): string {
  return `${Math.ceil(pixels)} px (${inches.toFixed(2)}in) taller than its area and was cut; ${advice}`;
}

function tooWide(pixels: number, inches: number, { width, scale }: Strip): string {
  const fitting = Math.floor((scale * 100 * width) / (width + inches));
  return `${Math.ceil(pixels)} px (${inches.toFixed(2)}in) wider than its area and was cut; let its lines wrap, or set header_footer_scale_factor to ${fitting} or less`;
}
