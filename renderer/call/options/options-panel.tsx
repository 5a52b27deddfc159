/** The Options tab: a form of all options, generated from the option table. */
import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { SearchInput } from '../../parts/field.tsx';
import { t } from '../../texts/text.ts';
import { requestTab, showOption, optionToReveal } from '../../state/try-tabs.ts';
import { formOptions } from '../call.ts';
import { sectionTitles } from './option-sections.ts';
import { OptionsList } from './options-list.tsx';
import { OptionsSummary } from './options-summary.tsx';
import { query, sections, revealOption } from './options-view.ts';
import '../options.css';
import '../option.css';

export function OptionsPanel() {
  const root = useRef<HTMLDivElement>(null);
  useSignalEffect(() => {
    const option = optionToReveal.value;
    if (option === undefined) return;
    if (formOptions.includes(option)) revealOption(option);
    else showInput();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f') return;
    event.preventDefault();
    root.current?.querySelector<HTMLInputElement>('[type=search]')?.select();
  };
  return (
    <div ref={root} class="options" onKeyDown={onKeyDown}>
      <div class="options-head">
        <div class="options-find">
          <SearchField />
          <GoTo />
        </div>
        <OptionsSummary />
      </div>
      <OptionsList />
    </div>
  );
}

/** Shows the Input tab, for options that are not in the options form. */
function showInput(): void {
  optionToReveal.value = undefined;
  requestTab.value = 'input';
}

function SearchField() {
  return (
    <SearchInput
      label={t('options.search', { count: formOptions.length })}
      value={query.value}
      onText={(text) => {
        query.value = text;
      }}
    />
  );
}

function GoTo() {
  const choose = (select: HTMLSelectElement) => {
    const section = sections.value.find(({ id }) => id === select.value);
    const name = section?.rows[0] ?? section?.withoutEffect[0];
    select.value = '';
    if (name !== undefined) showOption(name);
  };
  return (
    <select
      class="input options-go"
      aria-label={t('options.go')}
      value=""
      onChange={(event) => {
        choose(event.currentTarget);
      }}
    >
      <option value="" hidden>
        {t('options.go')}
      </option>
      {sections.value.map(({ id }) => (
        <option key={id} value={id}>
          {t(sectionTitles[id])}
        </option>
      ))}
    </select>
  );
}
