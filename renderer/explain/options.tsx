/** The options in effect: the options of the request, and the defaults, which are collapsed. */
import type { LogEvent, OptionsEvent } from '../../main/log/events.ts';
import { lastOf } from '../../main/log/events.ts';
import { t } from '../texts/text.ts';
import { OptionLink } from './option-link.tsx';
import type { ExplanationSection } from './section.ts';

type Option = OptionsEvent['detail']['options'][number];

interface OptionTableProps {
  /** The accessible name, for a table without a visible heading. */
  readonly label?: string;
  readonly options: readonly (Pick<Option, 'name' | 'value'> & Partial<Pick<Option, 'from'>>)[];
}

export function givenOptions(events: readonly LogEvent[]): ExplanationSection | undefined {
  const detail = lastOf(events, 'options')?.detail;
  if (detail === undefined) return undefined;
  const given = detail.options.filter(({ from }) => from === 'request');
  const defaults = detail.options.filter(({ from }) => from !== 'request');
  return {
    id: 'options',
    title: t('explain.options'),
    count: given.length,
    content: (
      <>
        {given.length === 0 ? (
          <p class="soft">{t('explain.options.none')}</p>
        ) : (
          <OptionTable label={t('explain.options.given')} options={given} />
        )}
        {defaults.length > 0 && (
          <details>
            <summary>{t('explain.options.defaults', { count: defaults.length })}</summary>
            <OptionTable label={t('explain.options.default')} options={defaults} />
          </details>
        )}
      </>
    ),
  };
}

export function OptionTable({ label, options }: OptionTableProps) {
  return (
    <table class="explain-table option-table" aria-label={label}>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{t('explain.option')}</th>
          <th scope="col">{t('explain.value')}</th>
        </tr>
      </thead>
      <tbody>
        {options.map(({ name, value, from }) => (
          <tr key={name}>
            <th scope="row">
              <OptionLink name={name} />
            </th>
            <td>
              <bdi class="mono explain-said">{value}</bdi>
              {from === 'alias' && <small class="faint"> {t('explain.options.alias')}</small>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
