/** A screenshot of the page just before printing. */
import type { LogEvent } from '../../../main/log/events.ts';
import { lastOf } from '../../../main/log/events.ts';
import { t } from '../../texts/text.ts';
import type { ExplanationSection } from '../section.ts';

export function picture(events: readonly LogEvent[]): ExplanationSection | undefined {
  const detail = lastOf(events, 'picture')?.detail;
  if (detail === undefined) return undefined;
  const { type, width, height, data } = detail;
  return {
    id: 'picture',
    title: t('explain.picture'),
    content: (
      <figure class="explain-picture">
        <img
          src={`data:${type};base64,${data}`}
          width={width}
          height={height}
          alt={t('explain.picture.alt')}
        />
        <figcaption class="faint">{t('explain.picture.says')}</figcaption>
      </figure>
    ),
  };
}
