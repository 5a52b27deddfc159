/** Marks the differences on a page. */
import { useEffect, useRef } from 'preact/hooks';
import type { Comparer } from './comparer.ts';

interface MarksProps {
  readonly comparer: Comparer;
  readonly page: number;
}

/** How far a mark extends beyond a difference, so that a single pixel is visible. */
const around = [-2, 0, 2];

export function Marks({ comparer, page }: MarksProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const found = comparer.differences.value.get(page)?.is;
  useEffect(() => {
    let wanted = true;
    if (found === 'differs')
      void comparer.mask(page).then((mask) => {
        if (wanted && mask !== undefined && canvas.current !== null) draw(canvas.current, mask);
      });
    return () => {
      wanted = false;
    };
  }, [comparer, page, found]);
  return found === 'differs' ? <canvas ref={canvas} class="compare-marks" aria-hidden="true" /> : null;
}

function draw(canvas: HTMLCanvasElement, mask: ImageBitmap): void {
  canvas.width = mask.width;
  canvas.height = mask.height;
  const context = canvas.getContext('2d');
  if (context === null) return;
  for (const x of around) for (const y of around) context.drawImage(mask, x, y);
  // The style sheet sets the colour; only the alpha channel of the mask is used.
  context.globalCompositeOperation = 'source-in';
  context.fillStyle = getComputedStyle(canvas).color;
  context.fillRect(0, 0, canvas.width, canvas.height);
}
