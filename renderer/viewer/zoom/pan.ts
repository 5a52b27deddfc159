/** Scrolls content that is larger than its window by dragging. */
import { useCallback } from 'preact/hooks';

/** For the scrolling element. */
export function usePan(): (event: PointerEvent) => void {
  return useCallback((event: PointerEvent) => {
    const element = event.currentTarget as HTMLElement;
    // Only the primary button, and not on a scrollbar; touch scrolls natively.
    const isOnContent = event.offsetX < element.clientWidth && event.offsetY < element.clientHeight;
    if (event.button !== 0 || event.pointerType === 'touch' || (event.target === element && !isOnContent))
      return;
    event.preventDefault();
    element.focus({ preventScroll: true });
    follow(element, event);
  }, []);
}

function follow(element: HTMLElement, begun: PointerEvent): void {
  const from = { x: begun.clientX + element.scrollLeft, y: begun.clientY + element.scrollTop };
  const move = (event: PointerEvent) => {
    element.scrollTo({ left: from.x - event.clientX, top: from.y - event.clientY, behavior: 'instant' });
  };
  const end = () => {
    delete element.dataset.moving;
    element.removeEventListener('pointermove', move);
  };
  element.setPointerCapture(begun.pointerId);
  element.dataset.moving = '';
  element.addEventListener('pointermove', move);
  element.addEventListener('lostpointercapture', end, { once: true });
}
