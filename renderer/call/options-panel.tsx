/** The form of all options, made from the table. */
import { useSignalEffect } from '@preact/signals';
import { ChevronRight, SearchX } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { SearchInput } from '../parts/field.tsx';
import { t } from '../texts/text.ts';
import { callTab, showOption, wantedOption } from '../views/try-tabs.ts';
import { formOptions } from './call.ts';
import { groupTitles } from './option-groups.ts';
import { OptionRow } from './option-row.tsx';
import { nearestOption } from './option-search.ts';
import type { OptionSection } from './option-sections.ts';
import { OptionsSummary } from './options-summary.tsx';
import { isNarrow, open, outputFormat, query, sections, toggle, uncover } from './options-view.ts';
import './options.css';

export function OptionsPanel() {
  const root = useRef<HTMLDivElement>(null);
  useSignalEffect(() => {
    const wanted = wantedOption.value;
    if (wanted === undefined) return;
    if (formOptions.includes(wanted)) uncover(wanted);
    else leaveTo('input');
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
          <Find />
          <GoTo />
        </div>
        <OptionsSummary />
      </div>
      <Sections />
    </div>
  );
}

/** What is wanted is entered on another tab. */
function leaveTo(tab: 'input'): void {
  wantedOption.value = undefined;
  callTab.value = tab;
}

function Find() {
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
    const first = sections.value.find(({ id }) => id === select.value);
    const name = first?.rows[0] ?? first?.idle[0];
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
          {t(groupTitles[id])}
        </option>
      ))}
    </select>
  );
}

function Sections() {
  if (sections.value.length === 0) return <NothingFound />;
  return (
    <div class="options-list">
      {sections.value.map((section) => (
        <Section key={section.id} {...section} />
      ))}
    </div>
  );
}

function NothingFound() {
  const near = nearestOption(query.value, formOptions);
  return (
    <Empty
      icon={SearchX}
      title={t('options.not.found', { query: query.value.trim().slice(0, 60) })}
      actions={
        <>
          {near !== undefined && (
            <Button
              onClick={() => {
                showOption(near);
              }}
            >
              {near}
            </Button>
          )}
          <Button
            tone="quiet"
            onClick={() => {
              query.value = '';
            }}
          >
            {t('options.search.clear')}
          </Button>
        </>
      }
    >
      {t(near === undefined ? 'options.not.found.hint' : 'options.not.found.near')}
    </Empty>
  );
}

function Section({ id, rows, idle }: OptionSection) {
  const isOpen = isNarrow.value || open.value.has(id);
  const format = outputFormat.value.toUpperCase();
  const body = `options-of-${id.replaceAll(' ', '-')}`;
  return (
    <section class="option-section" data-idle={rows.length === 0 ? '' : undefined}>
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={body}
          disabled={isNarrow.value}
          onClick={() => {
            toggle(id);
          }}
        >
          <ChevronRight size={15} aria-hidden="true" />
          <span class="option-section-title">{t(groupTitles[id])}</span>
          <span class="option-section-count">
            {rows.length === 0 ? t('options.idle', { format }) : rows.length}
          </span>
        </button>
      </h2>
      {isOpen && (
        <div id={body}>
          {rows.map((name) => (
            <OptionRow key={name} name={name} idle={id === 'without'} />
          ))}
          <Idle id={id} names={idle} folded={rows.length > 0 && !isNarrow.value} />
        </div>
      )}
    </section>
  );
}

interface IdleProps {
  readonly id: OptionSection['id'];
  readonly names: OptionSection['idle'];
  readonly folded: boolean;
}

function Idle({ id, names, folded }: IdleProps) {
  const key = `${id}/idle`;
  const isOpen = !folded || open.value.has(key);
  if (names.length === 0) return null;
  return (
    <>
      {folded && (
        <button
          type="button"
          class="option-fold"
          aria-expanded={isOpen}
          onClick={() => {
            toggle(key);
          }}
        >
          <ChevronRight size={14} aria-hidden="true" />
          {t('options.idle.count', { format: outputFormat.value.toUpperCase(), count: names.length })}
        </button>
      )}
      {isOpen && names.map((name) => <OptionRow key={name} name={name} idle />)}
    </>
  );
}
