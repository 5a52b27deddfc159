/** The layout of the page on paper or in an image, headers and footers, elements split by page breaks, and overflows. */
import {
  type BreaksEvent,
  type LayoutEvent,
  type LogEvent,
  eventsOf,
  lastOf,
} from '../../../main/log/events.ts';
import { number, numberFormat, t } from '../../texts/text.ts';
import { FactList, type FactRow } from '../fact-list.tsx';
import type { ExplanationSection } from '../section.ts';

type LayoutDetail = LayoutEvent['detail'];

/** The maximum number of layouts shown. A document with several page sizes has several layouts. */
const maxDrawings = 4;

export function layout(events: readonly LogEvent[]): ExplanationSection | undefined {
  const layouts = eventsOf(events, 'layout');
  const headersFooters = eventsOf(events, 'header-footer');
  const breaks = eventsOf(events, 'breaks').flatMap(({ detail }) => brokenIn(detail));
  const encoding = lastOf(events, 'encoding')?.detail;
  if (layouts.length + breaks.length + headersFooters.length === 0 && encoding === undefined)
    return undefined;
  const about: FactRow[] =
    encoding === undefined
      ? []
      : [[t('explain.encoding'), `${encoding.encoding}, ${t(`explain.declared.${encoding.declared}`)}`]];
  return {
    id: 'layout',
    title: t('explain.layout'),
    content: (
      <>
        {layouts.slice(0, maxDrawings).map(({ detail }, index) => (
          <OneLayout key={index} layout={detail} about={index === 0 ? about : []} />
        ))}
        {layouts.length === 0 && <FactList facts={about} />}
        {layouts.length > maxDrawings && (
          <p class="soft">{t('explain.moreLayouts', { count: layouts.length - maxDrawings })}</p>
        )}
        {headersFooters.map(({ text }, index) => (
          <p key={index} lang="en">
            {text}
          </p>
        ))}
        {breaks.length > 0 && <Breaks breaks={breaks} />}
      </>
    ),
  };
}

function OneLayout({ layout, about }: { readonly layout: LayoutDetail; readonly about: readonly FactRow[] }) {
  return (
    <div class="explain-layout">
      {layout.paper && <PaperDrawing paper={layout.paper} margins={layout.margins} />}
      <FactList facts={[...factsOf(layout), ...about]} />
    </div>
  );
}

function factsOf({ viewport, media, scale, paper, margins, image }: LayoutDetail): FactRow[] {
  return [
    [t('explain.paper'), paper && lengths(paper.width, paper.height)],
    [t('explain.margins'), margins && around(margins)],
    [
      t('explain.viewport'),
      viewport.height > 0 ? pixels(viewport) : t('explain.pixelsWide', { width: viewport.width }),
    ],
    [t('explain.scale'), `${number(Math.round(scale * 1000) / 10)} %`],
    [t('explain.media'), media],
    [t('explain.image.size'), image && pixels(image)],
  ];
}

/** Formats the margins: one length if all four are equal. */
function around({ top, right, bottom, left }: NonNullable<LayoutDetail['margins']>): string {
  if (new Set([top, right, bottom, left]).size === 1) return lengths(top);
  return t('explain.margins.four', {
    top: millimetres(top),
    right: millimetres(right),
    bottom: millimetres(bottom),
    left: millimetres(left),
  });
}

export function pixels({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${number(width)} × ${number(height)} px`;
}

interface Broken {
  readonly element: string;
  readonly what: string;
}

function brokenIn({ overflows, splits, tall }: BreaksEvent['detail']): Broken[] {
  return [
    ...overflows.map(({ element, by }) => ({
      element,
      what: t('explain.overflows', { by: Math.round(by) }),
    })),
    ...tall.map(({ element, height, page }) => ({
      element,
      what: t('explain.tall', { height: Math.round(height), page }),
    })),
    ...splits.map(({ element, first, last, apart }) => ({
      element,
      what: t(apart ? 'explain.apart' : 'explain.split', { first, last }),
    })),
  ];
}

function Breaks({ breaks }: { readonly breaks: readonly Broken[] }) {
  return (
    <table class="explain-table explain-even">
      <thead>
        <tr>
          <th scope="col">{t('explain.breaks.element')}</th>
          <th scope="col">{t('explain.about')}</th>
        </tr>
      </thead>
      <tbody>
        {breaks.map(({ element, what }, index) => (
          <tr key={index}>
            <th scope="row">
              <code>{element}</code>
            </th>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Formats lengths, given in inches, in both units, such as `210 × 297 mm (8.27 × 11.69 in)`. */
export function lengths(...inches: readonly number[]): string {
  return `${millimetres(...inches)} (${written(inches, 2)} in)`;
}

/** Formats lengths, given in inches, in millimetres, such as `210 × 297 mm`. */
export function millimetres(...inches: readonly number[]): string {
  const metric = inches.map((length) => length * 25.4);
  return `${written(metric, 1)} mm`;
}

function written(values: readonly number[], digits: number): string {
  const format = numberFormat({ maximumFractionDigits: digits });
  return values.map((value) => format.format(value)).join(' × ');
}

interface PaperProps {
  readonly paper: NonNullable<LayoutDetail['paper']>;
  readonly margins: LayoutDetail['margins'] | undefined;
}

/**
 * The longer side of the drawing, and the minimum of the shorter side, in CSS pixels. The minimum keeps very long paper
 * recognisable.
 */
const longerSide = 120;
const minSide = 24;

function PaperDrawing({ paper, margins }: PaperProps) {
  const { width, height } = paper;
  const scale = longerSide / Math.max(width, height);
  const box = {
    width: Math.max(minSide, width * scale),
    height: Math.max(minSide, height * scale),
  };
  const { top, right, bottom, left } = margins ?? { top: 0, right: 0, bottom: 0, left: 0 };
  const across = box.width / width;
  const down = box.height / height;
  return (
    <svg class="paper-drawing" width={box.width + 2} height={box.height + 2} aria-hidden="true">
      <rect class="paper-sheet" x="1" y="1" width={box.width} height={box.height} />
      <rect
        class="paper-content"
        x={1 + left * across}
        y={1 + top * down}
        width={Math.max(0, width - left - right) * across}
        height={Math.max(0, height - top - bottom) * down}
      />
    </svg>
  );
}
