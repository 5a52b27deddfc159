/** The changed options. Each option has a button that shows it in the form, and a reset button. */
import { X } from 'lucide-preact';
import type { OptionName, OptionRow } from '../../../main/job/options.ts';
import { table } from '../../../main/job/options.ts';
import { Button } from '../../parts/button.tsx';
import { t } from '../../texts/text.ts';
import { showOption } from '../../state/try-tabs.ts';
import { filesOf, options, invalidOptions, type OptionValue } from '../call.ts';
import { hasEffect } from './option-sections.ts';
import { changedFilter, outputFormat, resetAll, resetOption, showOnlyChanged } from './options-view.ts';

export function OptionsSummary() {
  const changed = [...options.value];
  if (changed.length === 0 && changedFilter.value === undefined)
    return <p class="options-none">{t('options.none.changed')}</p>;
  const isFilterOn = changedFilter.value !== undefined;
  return (
    <div class="options-summary">
      <ul aria-label={t('options.changed')}>
        {changed.map(([name, value]) => (
          <Chip key={name} name={name} value={value} />
        ))}
      </ul>
      <div class="options-summary-actions">
        <Button
          tone="quiet"
          aria-pressed={isFilterOn}
          onClick={() => {
            showOnlyChanged(!isFilterOn);
          }}
        >
          {t('options.only.changed')}
        </Button>
        <Button tone="quiet" onClick={resetAll}>
          {t('options.reset.all')}
        </Button>
      </div>
    </div>
  );
}

function Chip({ name, value }: { readonly name: OptionName; readonly value: OptionValue }) {
  const shown = shownValue(name, value);
  const isInvalid = invalidOptions.value.includes(name);
  const isWithoutEffect = !hasEffect(name, outputFormat.value);
  const problem = isInvalid
    ? t('options.chip.invalid')
    : isWithoutEffect
      ? t('options.chip.noEffect')
      : undefined;
  return (
    <li class="chip" data-state={isInvalid ? 'invalid' : isWithoutEffect ? 'no-effect' : undefined}>
      <button
        type="button"
        class="chip-name"
        title={`${name} = ${shown}${problem === undefined ? '' : ` (${problem})`}`}
        onClick={() => {
          showOption(name);
        }}
      >
        <span class="chip-key">{name}</span> = <span class="chip-value">{shown}</span>
        {problem !== undefined && <span class="visually-hidden">({problem})</span>}
      </button>
      <button
        type="button"
        class="chip-remove"
        aria-label={t('options.reset', { name })}
        onClick={() => {
          resetOption(name);
        }}
      >
        <X size={12} aria-hidden="true" />
      </button>
    </li>
  );
}

function shownValue(name: OptionName, value: OptionValue): string {
  const { secret }: OptionRow = table[name];
  if (typeof value !== 'string')
    return filesOf(value)
      .map((file) => file.name)
      .join(', ');
  return secret === true ? '•••' : value.slice(0, 200).replace(/\s+/g, ' ');
}
