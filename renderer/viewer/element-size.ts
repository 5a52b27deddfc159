/** The inner size of an element, and the device pixel ratio. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { SheetSize } from './layout.ts';

export interface ElementSize extends SheetSize {
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

export function useElementSize(element: RefObject<HTMLElement>): ElementSize {
  const [size, setSize] = useState<ElementSize>({ width: 0, height: 0, ratio: devicePixelRatio });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = () => {
      setSize((before) => keepIfEqual(before, sizeOf(current)));
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
  return size;
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): ElementSize {
  return { width: clientWidth, height: clientHeight, ratio: devicePixelRatio };
}

/** Returns the previous object for equal sizes, so that the component is not rendered again. */
function keepIfEqual(before: ElementSize, current: ElementSize): ElementSize {
  const isSame =
    before.width === current.width && before.height === current.height && before.ratio === current.ratio;
  return isSame ? before : current;
}
