/** The "Compare" view: two outputs, and the differences between them and between their requests. */
import { signal } from '@preact/signals';
import { ArrowLeftRight, Columns2 } from 'lucide-preact';
import { Button, IconButton } from '../parts/button.tsx';
import { Segments } from '../parts/choice.tsx';
import { Empty } from '../parts/empty.tsx';
import { show } from '../state/current-view.ts';
import { size, t } from '../texts/text.ts';
import { OptionDifferences } from '../compare/call-differences.tsx';
import { Comparison } from '../compare/comparison.tsx';
import type { ComparisonMode } from '../compare/compared-sheets.tsx';
import { SidePicker } from '../compare/side-picker.tsx';
import { useOpenSide, type OpenSide } from '../compare/open-side.tsx';
import { comparable, sides, swapSides, type ComparedSide } from '../compare/sides.ts';
import '../viewer/viewer.css';
import '../viewer/sheets.css';
import '../viewer/sidebar/sidebar.css';
import '../compare/compare.css';

const mode = signal<ComparisonMode>('sides');
const modes: readonly ComparisonMode[] = ['sides', 'overlay', 'slider'];

export function CompareView() {
  const { a, b } = sides.value;
  return (
    <section class="view" aria-label={t('nav.compare')}>
      <header class="view-head compare-head">
        <h1>{t('nav.compare')}</h1>
        <SidePicker side="a" />
        <IconButton icon={ArrowLeftRight} label={t('compare.swap')} disabled={!a || !b} onClick={swapSides} />
        <SidePicker side="b" />
        <div class="view-head-space" />
        <Segments
          label={t('compare.mode')}
          value={mode.value}
          onChoose={(chosen) => {
            mode.value = chosen;
          }}
          choices={modes.map((value) => ({ value, label: t(`compare.mode.${value}`) }))}
        />
      </header>
      {a !== undefined && b !== undefined ? <Both a={a} b={b} /> : <ChooseOutputs />}
    </section>
  );
}

function Both({ a, b }: { readonly a: ComparedSide; readonly b: ComparedSide }) {
  const sideA = useOpenSide(a);
  const sideB = useOpenSide(b);
  return (
    <>
      <div class="compare-facts">
        <SideFacts letter="A" side={sideA} />
        <SideFacts letter="B" side={sideB} />
        <OptionDifferences a={a} b={b} />
      </div>
      {sideA.sheets !== undefined && sideB.sheets !== undefined ? (
        <Comparison a={sideA.sheets} b={sideB.sheets} mode={mode.value} />
      ) : (
        <div class="compare-panes compare-waiting">
          {sideA.sheets === undefined ? sideA.placeholder : sideB.placeholder}
        </div>
      )}
    </>
  );
}

function SideFacts({
  letter,
  side: { sheets, bytes },
}: {
  readonly letter: string;
  readonly side: OpenSide;
}) {
  if (sheets === undefined || bytes === undefined) return null;
  const { image } = sheets;
  const extent =
    image === undefined
      ? t('compare.pages', { pages: sheets.sizes.value.length })
      : t('viewer.pixels', { width: image.size.width, height: image.size.height });
  return (
    <p class="compare-fact">
      <span class="side-letter">{letter}</span> {extent}, {size(bytes)}
    </p>
  );
}

function ChooseOutputs() {
  const hasOne = comparable.value.length > 0;
  const action = (
    <Button
      tone="primary"
      onClick={() => {
        show('try');
      }}
    >
      {t('compare.none.try')}
    </Button>
  );
  return (
    <Empty icon={Columns2} title={t(hasOne ? 'compare.one.title' : 'compare.none.title')} actions={action}>
      {t(hasOne ? 'compare.one.sentence' : 'compare.none.sentence')}
    </Empty>
  );
}
