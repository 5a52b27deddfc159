/** Bars on a time axis, and the axis for the column header. They follow the text direction. */
import { percent, barPosition, ticks } from '../../../main/log/waterfall.ts';
import { duration, t } from '../../texts/text.ts';

export interface Bar {
  /** Milliseconds since the job began. */
  readonly from: number;
  readonly to: number;
  readonly look: 'stage' | 'connect' | 'wait' | 'receive' | 'failed';
}

interface BarsProps {
  readonly parts: readonly Bar[];
  /** Length of the axis in milliseconds. */
  readonly whole: number;
}

export function Bars({ parts, whole }: BarsProps) {
  const from = Math.min(...parts.map((part) => part.from));
  const to = Math.max(...parts.map((part) => part.to));
  return (
    <div
      class="time-bars"
      role="img"
      aria-label={t('explain.fromTo', { from: duration(from), to: duration(to) })}
    >
      <Grid whole={whole} />
      {parts.map(({ look, ...bar }) => {
        const { start, width } = barPosition(bar.from, bar.to, whole);
        const style = { insetInlineStart: `${start}%`, inlineSize: `${width}%` };
        return <span key={look} class="time-bar" data-look={look} style={style} />;
      })}
    </div>
  );
}

function Grid({ whole }: { readonly whole: number }) {
  return (
    <>
      {ticks(whole).map((tick) => (
        <span key={tick} class="time-line" style={{ insetInlineStart: `${percent(tick, whole)}%` }} />
      ))}
    </>
  );
}

/** Percent; beyond it a label goes before its tick, or it would overflow. */
const nearEnd = 80;

/** Header of a column of bars. */
export function TimeHead({ whole }: { readonly whole: number }) {
  return (
    <th scope="col" class="explain-time">
      <span class="unseen">{t('explain.when')}</span>
      <Axis whole={whole} />
    </th>
  );
}

function Axis({ whole }: { readonly whole: number }) {
  return (
    <div class="time-axis" aria-hidden="true">
      {ticks(whole).map((tick) => (
        <span
          key={tick}
          data-last={percent(tick, whole) > nearEnd ? '' : undefined}
          style={{ insetInlineStart: `${percent(tick, whole)}%` }}
        >
          {duration(tick)}
        </span>
      ))}
    </div>
  );
}
