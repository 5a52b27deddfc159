/** The layout of the page on paper or image, elements split by page breaks, and overflows. */
import type { BreaksEvent, LayoutEvent, LogEvent } from '../../../main/log/events.ts';
import { eventsOf, lastOf } from '../../../main/log/events.ts';
import { number, t } from '../../texts/text.ts';
import { FactList, type Fact } from '../fact-list.tsx';
import { lengths, millimetres } from './lengths.ts';
import { PaperDrawing } from './paper-drawing.tsx';
import type { Part } from '../part.ts';

type Layout = LayoutEvent['detail'];

/** A document can have parts with different page sizes. */
const most = 4;

export function layout(events: readonly LogEvent[]): Part | undefined {
  const layouts = eventsOf(events, 'layout');
  const strips = eventsOf(events, 'strip');
  const breaks = eventsOf(events, 'breaks').flatMap(({ detail }) => brokenIn(detail));
  const encoding = lastOf(events, 'encoding')?.detail;
  if (layouts.length + breaks.length + strips.length === 0 && encoding === undefined) return undefined;
  const about: Fact[] =
    encoding === undefined
      ? []
      : [[t('explain.encoding'), `${encoding.encoding}, ${t(`explain.declared.${encoding.declared}`)}`]];
  return {
    ...{ id: 'layout', title: t('explain.layout') },
    content: (
      <>
        {layouts.slice(0, most).map(({ detail }, index) => (
          <OneLayout key={index} layout={detail} about={index === 0 ? about : []} />
        ))}
        {layouts.length === 0 && <FactList facts={about} />}
        {layouts.length > most && (
          <p class="soft">{t('explain.moreLayouts', { count: layouts.length - most })}</p>
        )}
        {strips.map(({ text }, index) => (
          <p key={index} lang="en">
            {text}
          </p>
        ))}
        {breaks.length > 0 && <Breaks breaks={breaks} />}
      </>
    ),
  };
}

function OneLayout({ layout, about }: { readonly layout: Layout; readonly about: readonly Fact[] }) {
  return (
    <div class="explain-layout">
      {layout.paper && <PaperDrawing paper={layout.paper} margins={layout.margins} />}
      <FactList facts={[...factsOf(layout), ...about]} />
    </div>
  );
}

function factsOf({ viewport, media, scale, paper, margins, picture }: Layout): Fact[] {
  return [
    [t('explain.paper'), paper && lengths(paper.width, paper.height)],
    [t('explain.margins'), margins && around(margins)],
    [
      t('explain.viewport'),
      viewport.height > 0 ? pixels(viewport) : t('explain.pixelsWide', { width: viewport.width }),
    ],
    [t('explain.scale'), `${number(Math.round(scale * 1000) / 10)} %`],
    [t('explain.media'), media],
    [t('explain.picture.size'), picture && pixels(picture)],
  ];
}

/** A single number if all four are equal. */
function around({ top, right, bottom, left }: NonNullable<Layout['margins']>): string {
  if (new Set([top, right, bottom, left]).size === 1) return lengths(top);
  return t('explain.margins.four', {
    ...{ top: millimetres(top), right: millimetres(right) },
    ...{ bottom: millimetres(bottom), left: millimetres(left) },
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
