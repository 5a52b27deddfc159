/** Keyboard zoom: +, - and 0, with or without Ctrl. Active only while the viewer has the focus, so the browser keeps its keys. */
import type { View } from '../view.ts';
import { nextStep, type Steps } from './zoom.ts';

export function onZoomKey(event: KeyboardEvent, view: View, steps: Steps): void {
  const isTyping = (event.target as HTMLElement).closest('input, select, textarea') !== null;
  if (event.altKey || (isTyping && !event.ctrlKey && !event.metaKey)) return;
  const scale = view.scale.peek();
  const wanted = {
    '+': nextStep(scale, 1, steps),
    '=': nextStep(scale, 1, steps),
    '-': nextStep(scale, -1, steps),
    '0': 'width' as const,
  }[event.key];
  if (wanted === undefined) return;
  event.preventDefault();
  view.zoom.value = wanted;
}
