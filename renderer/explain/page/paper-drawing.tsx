/** A small drawing of the paper with its margins. */
import type { LayoutEvent } from '../../../main/log/events.ts';

type Layout = LayoutEvent['detail'];

interface PaperProps {
  readonly paper: NonNullable<Layout['paper']>;
  readonly margins: Layout['margins'] | undefined;
}

/** Pixels of the longer side. The shorter side has a minimum, so that very long paper is recognisable. */
const side = 120;
const thinnest = 24;

export function PaperDrawing({ paper, margins }: PaperProps) {
  const { width, height } = paper;
  const scale = side / Math.max(width, height);
  const box = {
    width: Math.max(thinnest, width * scale),
    height: Math.max(thinnest, height * scale),
  };
  const { top, right, bottom, left } = margins ?? { top: 0, right: 0, bottom: 0, left: 0 };
  const [across, down] = [box.width / width, box.height / height];
  return (
    <svg class="paper-drawing" width={box.width + 2} height={box.height + 2} aria-hidden="true">
      <rect class="paper-sheet" x="1" y="1" width={box.width} height={box.height} />
      <rect
        class="paper-content"
        x={1 + left * across}
        y={1 + top * down}
        width={Math.max(0, width - left - right) * across}
        height={Math.max(0, height - top - bottom) * down}
      />
    </svg>
  );
}
