/** A screenshot of the page just before printing. */
import type { LogEvent } from '../../../main/log/events.ts';
import { lastOf } from '../../../main/log/events.ts';
import { t } from '../../texts/text.ts';
import type { ExplanationSection } from '../section.ts';

export function screenshot(events: readonly LogEvent[]): ExplanationSection | undefined {
  const detail = lastOf(events, 'screenshot')?.detail;
  if (detail === undefined) return undefined;
  const { type, width, height, data } = detail;
  return {
    id: 'screenshot',
    title: t('explain.screenshot'),
    content: (
      <figure class="explain-image">
        <img
          src={`data:${type};base64,${data}`}
          width={width}
          height={height}
          alt={t('explain.screenshot.alt')}
        />
        <figcaption class="faint">{t('explain.screenshot.says')}</figcaption>
      </figure>
    ),
  };
}
