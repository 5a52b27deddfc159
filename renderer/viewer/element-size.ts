/** The inner size of an element, and the device pixel ratio. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { SheetSize } from './layout.ts';

export interface ElementSize extends SheetSize {
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

export function useElementSize(element: RefObject<HTMLElement>): ElementSize {
  const [room, setRoom] = useState<ElementSize>({ width: 0, height: 0, ratio: devicePixelRatio });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = () => {
      setRoom((before) => same(before, sizeOf(current)));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    addEventListener('resize', measure);
    measure();
    return () => {
      observer.disconnect();
      removeEventListener('resize', measure);
    };
  }, []);
  return room;
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): ElementSize {
  return { width: clientWidth, height: clientHeight, ratio: devicePixelRatio };
}

function same(before: ElementSize, now: ElementSize): ElementSize {
  const isSame = before.width === now.width && before.height === now.height && before.ratio === now.ratio;
  return isSame ? before : now;
}
