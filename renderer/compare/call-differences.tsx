/** The options that differ between the two requests, collapsed by default. */
import { size, t } from '../texts/text.ts';
import { optionDifferences, type OptionDifference } from './difference.ts';
import type { ComparedSide } from './sides.ts';

interface CallDifferencesProps {
  readonly a: ComparedSide;
  readonly b: ComparedSide;
}

export function OptionDifferences({ a, b }: CallDifferencesProps) {
  if (a.kind === 'file' || b.kind === 'file')
    return <p class="compare-call soft">{t('compare.options.file')}</p>;
  const options = optionDifferences(a.run.form, b.run.form);
  if (options.length === 0) return <p class="compare-call soft">{t('compare.options.none')}</p>;
  return (
    <details class="compare-call">
      <summary>
        {t('compare.options', { count: options.length })}{' '}
        <span class="compare-names mono cut">{options.map(({ name }) => name).join(', ')}</span>
      </summary>
      <div class="compare-options">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t('compare.option')}</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
            </tr>
          </thead>
          <tbody>
            {options.map((option) => (
              <Row key={option.name} option={option} />
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Row({ option: { name, a, b } }: { readonly option: OptionDifference }) {
  return (
    <tr>
      <th scope="row" class="mono">
        {name}
      </th>
      <Value value={a} />
      <Value value={b} />
    </tr>
  );
}

/** Longer values, such as whole documents, are shown by their size only. */
const maxShownLength = 300;

function Value({ value }: { readonly value: string | undefined }) {
  if (value === undefined) return <td class="faint">{t('compare.option.none')}</td>;
  if (value.length > maxShownLength)
    return <td class="soft">{t('compare.option.long', { size: size(new Blob([value]).size) })}</td>;
  return <td class="mono">{value}</td>;
}
