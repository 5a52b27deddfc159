/** The inner size of an element, and the device pixel ratio. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Size } from './layout.ts';

export interface Room extends Size {
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

export function useRoom(element: RefObject<HTMLElement>): Room {
  const [room, setRoom] = useState<Room>({ width: 0, height: 0, ratio: devicePixelRatio });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = () => {
      setRoom((before) => same(before, roomIn(current)));
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

function roomIn({ clientWidth, clientHeight }: HTMLElement): Room {
  return { width: clientWidth, height: clientHeight, ratio: devicePixelRatio };
}

function same(before: Room, now: Room): Room {
  const isSame = before.width === now.width && before.height === now.height && before.ratio === now.ratio;
  return isSame ? before : now;
}
