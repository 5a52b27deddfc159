/** Scrolls a scroll container by dragging its content. */
import { useCallback } from 'preact/hooks';

/** Returns a `pointerdown` handler for the scroll container. */
export function usePan(): (event: PointerEvent) => void {
  return useCallback((event: PointerEvent) => {
    const element = event.currentTarget as HTMLElement;
    // Only the primary button pans, and not on a scrollbar. Touch scrolls natively.
    const isOnContent = event.offsetX < element.clientWidth && event.offsetY < element.clientHeight;
    if (event.button !== 0 || event.pointerType === 'touch' || (event.target === element && !isOnContent))
      return;
    event.preventDefault();
    element.focus({ preventScroll: true });
    dragScroll(element, event);
  }, []);
}

function dragScroll(element: HTMLElement, start: PointerEvent): void {
  const from = { x: start.clientX + element.scrollLeft, y: start.clientY + element.scrollTop };
  const move = (event: PointerEvent) => {
    element.scrollTo({ left: from.x - event.clientX, top: from.y - event.clientY, behavior: 'instant' });
  };
  const end = () => {
    delete element.dataset.moving;
    element.removeEventListener('pointermove', move);
  };
  element.setPointerCapture(start.pointerId);
  element.dataset.moving = '';
  element.addEventListener('pointermove', move);
  element.addEventListener('lostpointercapture', end, { once: true });
}
