/** The zoom controls of the toolbar, and the zoom keys. */
import { ZoomIn, ZoomOut } from 'lucide-preact';
import { IconButton } from '../../parts/button.tsx';
import { numberFormat, t } from '../../texts/text.ts';
import type { DocumentView } from '../document-view.ts';
import { nextStep, type ZoomSteps, type Zoom } from './zoom.ts';

interface ZoomControlProps {
  readonly view: DocumentView;
  readonly steps: ZoomSteps;
}

export function ZoomControl({ view, steps }: ZoomControlProps) {
  const scale = view.scale.value;
  const step = (direction: 1 | -1) => {
    view.zoom.value = nextStep(scale, direction, steps);
  };
  const smallest = steps.factors[0] ?? 0;
  const largest = steps.factors.at(-1) ?? 0;
  return (
    <div class="zoom-control">
      <IconButton
        icon={ZoomOut}
        label={t('viewer.zoom.out')}
        disabled={scale <= smallest}
        onClick={() => {
          step(-1);
        }}
      />
      <ZoomSelect view={view} steps={steps} />
      <IconButton
        icon={ZoomIn}
        label={t('viewer.zoom.in')}
        disabled={scale >= largest}
        onClick={() => {
          step(1);
        }}
      />
    </div>
  );
}

function ZoomSelect({ view, steps }: ZoomControlProps) {
  const zoom = view.zoom.value;
  const scale = view.scale.value;
  const currentZoom = typeof zoom === 'number' && !steps.factors.includes(zoom) ? [zoom] : [];
  const fit = (value: 'width' | 'page') => (
    <option value={value}>
      {zoom === value ? `${percent(scale)} – ${t(`viewer.zoom.${value}`)}` : t(`viewer.zoom.${value}`)}
    </option>
  );
  return (
    <select
      class="input"
      aria-label={t('viewer.zoom')}
      title={t('viewer.zoom')}
      value={String(zoom)}
      onChange={({ currentTarget: { value } }) => {
        view.zoom.value = (value === 'width' || value === 'page' ? value : Number(value)) satisfies Zoom;
      }}
    >
      {fit('width')}
      {fit('page')}
      {[...currentZoom, ...steps.factors].map((factor) => (
        <option key={factor} value={String(factor)}>
          {percent(factor)}
        </option>
      ))}
    </select>
  );
}

function percent(factor: number): string {
  return numberFormat({ style: 'percent' }).format(factor);
}

export function onZoomKey(event: KeyboardEvent, view: DocumentView, steps: ZoomSteps): void {
  const isTyping = (event.target as HTMLElement).closest('input, select, textarea') !== null;
  if (event.altKey || (isTyping && !event.ctrlKey && !event.metaKey)) return;
  const scale = view.scale.peek();
  const newZoom = {
    '+': nextStep(scale, 1, steps),
    '=': nextStep(scale, 1, steps),
    '-': nextStep(scale, -1, steps),
    '0': 'width' as const,
  }[event.key];
  if (newZoom === undefined) return;
  event.preventDefault();
  view.zoom.value = newZoom;
}
