/** Two panes and a splitter between them, which moves with the pointer and arrow keys (WAI-ARIA APG: window splitter). */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

interface SplitProps {
  readonly label: string;
  readonly first: ComponentChildren;
  readonly second: ComponentChildren;
}

export function Split({ label, first, second }: SplitProps) {
  const [share, setShare] = useState(42);
  const root = useRef<HTMLDivElement>(null);
  const setPercent = (percent: number) => {
    setShare(Math.round(Math.min(75, Math.max(20, percent))));
  };
  const isRtl = () => getComputedStyle(root.current as HTMLElement).direction === 'rtl';
  const shareAt = (x: number) => {
    const { left, right, width } = (root.current as HTMLElement).getBoundingClientRect();
    return ((isRtl() ? right - x : x - left) / width) * 100;
  };
  return (
    <div ref={root} class="split" style={{ '--split': `${share}%` }}>
      <div class="pane">{first}</div>
      <div
        class="split-line"
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation="vertical"
        aria-valuenow={share}
        aria-valuemin={20}
        aria-valuemax={75}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          event.currentTarget.dataset.moving = '';
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) setPercent(shareAt(event.clientX));
        }}
        onPointerUp={(event) => {
          delete event.currentTarget.dataset.moving;
        }}
        onKeyDown={(event) => {
          // In right-to-left text, the first pane is on the right.
          const right = isRtl() ? -2 : 2;
          const step = { ArrowLeft: -right, ArrowRight: right, Home: -100, End: 100 }[event.key];
          if (step !== undefined) setPercent(share + step);
        }}
      />
      <div class="pane">{second}</div>
    </div>
  );
}
