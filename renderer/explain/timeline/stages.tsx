/** The stages of a job as bars on a time axis: duration, share of the total, and why a wait ended. */
import type { LogEvent } from '../../../main/log/events.ts';
import { eventsOf, spanOf } from '../../../main/log/events.ts';
import { percent } from '../../../main/log/waterfall.ts';
import { duration, t } from '../../texts/text.ts';
import type { ExplanationSection } from '../section.ts';
import { stageSpans, type StageSpan } from './stage-spans.ts';
import { TimeHead, Bars } from './time-bars.tsx';

export function stages(events: readonly LogEvent[]): ExplanationSection | undefined {
  const all = eventsOf(events, 'stage');
  if (all.length === 0) return undefined;
  const totalMs = spanOf(events);
  return {
    id: 'stages',
    title: t('explain.stages'),
    content: (
      <table class="explain-table">
        <thead>
          <tr>
            <th scope="col">{t('explain.stage')}</th>
            <th scope="col" class="end">
              {t('explain.took')}
            </th>
            <th scope="col" class="end explain-wide">
              {t('explain.share')}
            </th>
            <TimeHead totalMs={totalMs} />
          </tr>
        </thead>
        <tbody>
          {stageSpans(all).map((placed, index) => (
            <Row key={index} placed={placed} totalMs={totalMs} />
          ))}
        </tbody>
      </table>
    ),
  };
}

function Row({ placed, totalMs }: { readonly placed: StageSpan; readonly totalMs: number }) {
  const { stage, from, to, isStep } = placed;
  const { text, took, detail } = stage;
  return (
    <tr data-step={isStep ? '' : undefined}>
      <th scope="row">
        <span lang="en">{text}</span>
        {detail.ended !== undefined && (
          <small lang="en" class="explain-second">
            {detail.ended}
          </small>
        )}
      </th>
      <td class="end">{duration(took)}</td>
      <td class="end faint explain-wide">{Math.round(percent(took, totalMs))} %</td>
      <td class="explain-time">
        <Bars bars={[{ from, to, kind: isStep ? 'wait' : 'stage' }]} totalMs={totalMs} />
      </td>
    </tr>
  );
}
