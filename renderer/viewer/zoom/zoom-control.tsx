/** Zoom out, a menu of steps, zoom in. */
import { ZoomIn, ZoomOut } from 'lucide-preact';
import { IconButton } from '../../parts/button.tsx';
import { language, t } from '../../texts/text.ts';
import type { View } from '../view.ts';
import { nextStep, type Steps, type Zoom } from './zoom.ts';

interface ZoomControlProps {
  readonly view: View;
  readonly steps: Steps;
}

export function ZoomControl({ view, steps }: ZoomControlProps) {
  const scale = view.scale.value;
  const step = (direction: 1 | -1) => {
    view.zoom.value = nextStep(scale, direction, steps);
  };
  const [smallest = 0, largest = 0] = [steps.factors[0], steps.factors.at(-1)];
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
  const [zoom, scale] = [view.zoom.value, view.scale.value];
  const own = typeof zoom === 'number' && !steps.factors.includes(zoom) ? [zoom] : [];
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
      {[...own, ...steps.factors].map((factor) => (
        <option key={factor} value={String(factor)}>
          {percent(factor)}
        </option>
      ))}
    </select>
  );
}

function percent(factor: number): string {
  return new Intl.NumberFormat(language.value, { style: 'percent' }).format(factor);
}
