/** The toolbar of a comparison: page, progress, next difference, slider, highlighting and zoom. */
import type { Signal } from '@preact/signals';
import { ArrowDown, ArrowUp, Blend, Highlighter } from 'lucide-preact';
import { IconButton } from '../parts/button.tsx';
import { t } from '../texts/text.ts';
import { PageField } from '../viewer/page-field.tsx';
import type { DocumentView } from '../viewer/document-view.ts';
import { ZoomControl } from '../viewer/zoom/zoom-control.tsx';
import type { ZoomSteps } from '../viewer/zoom/zoom.ts';
import type { ComparisonMode } from './compared-sheets.tsx';
import type { Comparer } from './comparer.ts';
import { summaryOf } from './difference.ts';

interface CompareToolbarProps {
  readonly view: DocumentView;
  readonly pages: number;
  readonly steps: ZoomSteps;
  readonly comparer: Comparer;
  readonly mode: ComparisonMode;
  readonly sliderPosition: Signal<number>;
  readonly marked: Signal<boolean>;
  readonly onJump: (step: 1 | -1) => void;
}

export function CompareToolbar({
  view,
  pages,
  steps,
  comparer,
  mode,
  sliderPosition,
  marked,
  onJump,
}: CompareToolbarProps) {
  const { compared, differing } = summaryOf(comparer.differences.value, pages);
  return (
    <div class="viewer-tools" role="toolbar" aria-label={t('compare.tools')}>
      {pages > 1 && <PageField view={view} pages={pages} />}
      <span class="compare-result" role="status" data-differs={differing > 0}>
        {compared < pages
          ? t('compare.progress', { compared, pages })
          : t('compare.result', { differing, pages })}
      </span>
      <JumpButtons isDisabled={differing === 0} onJump={onJump} />
      <div class="viewer-tools-space" />
      {mode === 'slider' && <Slider sliderPosition={sliderPosition} />}
      {mode === 'slider' && <SwitchButton sliderPosition={sliderPosition} />}
      {mode === 'sides' && (
        <IconButton
          icon={Highlighter}
          label={t('compare.marks')}
          aria-pressed={marked.value}
          onClick={() => {
            marked.value = !marked.value;
          }}
        />
      )}
      <ZoomControl view={view} steps={steps} />
    </div>
  );
}

interface JumpButtonsProps {
  readonly isDisabled: boolean;
  readonly onJump: (step: 1 | -1) => void;
}

function JumpButtons({ isDisabled, onJump }: JumpButtonsProps) {
  return (
    <>
      <IconButton
        icon={ArrowUp}
        label={t('compare.previous')}
        disabled={isDisabled}
        onClick={() => {
          onJump(-1);
        }}
      />
      <IconButton
        icon={ArrowDown}
        label={t('compare.next')}
        disabled={isDisabled}
        onClick={() => {
          onJump(1);
        }}
      />
    </>
  );
}

function Slider({ sliderPosition }: { readonly sliderPosition: Signal<number> }) {
  return (
    <label class="compare-slider">
      <span aria-hidden="true">A</span>
      <input
        type="range"
        min={0}
        max={100}
        aria-label={t('compare.slider')}
        value={sliderPosition.value}
        onInput={({ currentTarget }) => {
          sliderPosition.value = Number(currentTarget.value);
        }}
      />
      <span aria-hidden="true">B</span>
    </label>
  );
}

function SwitchButton({ sliderPosition }: { readonly sliderPosition: Signal<number> }) {
  return (
    <IconButton
      icon={Blend}
      label={t('compare.blink')}
      aria-keyshortcuts="B"
      onClick={() => {
        switchSide(sliderPosition);
      }}
    />
  );
}

/** Shows the other output in the same place, which makes even small shifts visible. */
export function switchSide(sliderPosition: Signal<number>): void {
  sliderPosition.value = sliderPosition.value === 0 ? 100 : 0;
}
