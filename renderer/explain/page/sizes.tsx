/** The composition of the output: a bar that shows how many bytes each part takes, with a legend, and the largest parts. */
import { type LogEvent, lastOf, type SizesEvent } from '../../../main/log/events.ts';
import { size, t } from '../../texts/text.ts';
import type { ExplanationSection } from '../section.ts';

export function sizes(events: readonly LogEvent[]): ExplanationSection | undefined {
  const detail = lastOf(events, 'sizes')?.detail;
  if (detail === undefined) return undefined;
  const shares = sharesOf(detail);
  return {
    id: 'sizes',
    title: t('explain.sizes'),
    content: (
      <>
        <p class="soft">{t('explain.sizes.total', { total: size(detail.total) })}</p>
        <svg class="size-bar" aria-hidden="true">
          {shares.map(({ part, percent, percentBefore }) => (
            <rect key={part} data-kind={part} x={`${percentBefore}%`} width={`${percent}%`} height="100%" />
          ))}
        </svg>
        <ul class="explain-legend">
          {shares.map(({ part, bytes, percent }) => (
            <li key={part}>
              <span class="explain-key" data-kind={part} />
              {t(`explain.sizes.${part}`)}
              <span class="faint">
                {size(bytes)}, {Math.round(percent)} %
              </span>
            </li>
          ))}
        </ul>
        {detail.largest.length > 0 && <Largest largest={detail.largest.slice(0, 20)} />}
      </>
    ),
  };
}

function Largest({
  largest,
}: {
  readonly largest: readonly { readonly what: string; readonly bytes: number }[];
}) {
  return (
    <table class="explain-table explain-narrow">
      <thead>
        <tr>
          <th scope="col">{t('explain.sizes.largest')}</th>
          <th scope="col" class="end">
            {t('explain.size')}
          </th>
        </tr>
      </thead>
      <tbody>
        {largest.map(({ what, bytes }, index) => (
          <tr key={index}>
            <th scope="row">
              <bdi lang="en">{what}</bdi>
            </th>
            <td class="end">{size(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export interface Share {
  readonly part: 'fonts' | 'images' | 'rest';
  readonly bytes: number;
  /** Percentage of the total size: of this part, and (`percentBefore`) of all parts before it. */
  readonly percent: number;
  readonly percentBefore: number;
}

/** Returns the share of each part that is not empty. */
export function sharesOf({ fonts, images, rest, total }: SizesEvent['detail']): Share[] {
  if (total <= 0) return [];
  const parts = [
    { part: 'fonts', bytes: fonts },
    { part: 'images', bytes: images },
    { part: 'rest', bytes: rest },
  ] as const;
  let sum = 0;
  return parts
    .filter(({ bytes }) => bytes > 0)
    .map((part) => {
      const percent = (part.bytes / total) * 100;
      const percentBefore = sum;
      sum += percent;
      return { ...part, percent, percentBefore };
    });
}
