/**
 * Bars on a time axis, and the axis for the column header. They are SVG elements positioned in percent, because the content
 * security policy of the debug log page forbids style attributes.
 */
import { percent, barPosition, ticks } from '../../../main/log/waterfall.ts';
import { duration, t } from '../../texts/text.ts';

interface Bar {
  /** Milliseconds since the job began. */
  readonly from: number;
  readonly to: number;
  readonly kind: 'stage' | 'connect' | 'wait' | 'receive' | 'failed';
}

interface BarsProps {
  readonly bars: readonly Bar[];
  /** Length of the axis in milliseconds. */
  readonly totalMs: number;
}

export function Bars({ bars, totalMs }: BarsProps) {
  const from = Math.min(...bars.map((bar) => bar.from));
  const to = Math.max(...bars.map((bar) => bar.to));
  return (
    <svg
      class="time-bars"
      role="img"
      aria-label={t('explain.fromTo', { from: duration(from), to: duration(to) })}
    >
      {ticks(totalMs).map((tick) => {
        const x = `${percent(tick, totalMs)}%`;
        return <line key={tick} class="time-line" x1={x} x2={x} y1="0" y2="100%" />;
      })}
      {bars.map((bar) => {
        const { start, width } = barPosition(bar.from, bar.to, totalMs);
        return (
          <rect
            key={bar.kind}
            class="time-bar"
            data-kind={bar.kind}
            x={`${start}%`}
            y="9"
            width={`${width}%`}
            height="11"
            rx="2"
          />
        );
      })}
    </svg>
  );
}

/**
 * A position in percent of the axis. After a tick beyond this position, there is no room for its label, so the label is placed
 * before the tick.
 */
const nearEnd = 88;

/** Header of a column of bars. */
export function TimeHead({ totalMs }: { readonly totalMs: number }) {
  return (
    <th scope="col" class="explain-time">
      <span class="visually-hidden">{t('explain.when')}</span>
      <svg class="time-axis" aria-hidden="true">
        {ticks(totalMs).map((tick) => {
          const position = percent(tick, totalMs);
          return (
            <text key={tick} data-last={position > nearEnd ? '' : undefined} x={`${position}%`} y="12">
              {duration(tick)}
            </text>
          );
        })}
      </svg>
    </th>
  );
}
