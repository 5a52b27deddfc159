/** The options in their sections, or a message if no option matches the search. */
import { ChevronRight, SearchX } from 'lucide-preact';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { t } from '../../texts/text.ts';
import { showOption } from '../../state/try-tabs.ts';
import { formOptions } from '../call.ts';
import { OptionRow } from './option-row.tsx';
import { nearestOption } from './option-search.ts';
import { sectionTitles, type OptionSection } from './option-sections.ts';
import { isFiltered, openSections, outputFormat, query, sections, toggleSection } from './options-view.ts';

export function OptionsList() {
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
  const nearest = nearestOption(query.value, formOptions);
  return (
    <Empty
      icon={SearchX}
      title={t('options.not.found', { query: query.value.trim().slice(0, 60) })}
      actions={
        <>
          {nearest !== undefined && (
            <Button
              onClick={() => {
                showOption(nearest);
              }}
            >
              {nearest}
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
      {t(nearest === undefined ? 'options.not.found.hint' : 'options.not.found.near')}
    </Empty>
  );
}

function Section({ id, rows, withoutEffect }: OptionSection) {
  const isOpen = isFiltered.value || openSections.value.has(id);
  const format = outputFormat.value.toUpperCase();
  const body = `options-of-${id.replaceAll(' ', '-')}`;
  return (
    <section class="option-section" data-no-effect={rows.length === 0 ? '' : undefined}>
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={body}
          disabled={isFiltered.value}
          onClick={() => {
            toggleSection(id);
          }}
        >
          <ChevronRight size={15} aria-hidden="true" />
          <span class="option-section-title">{t(sectionTitles[id])}</span>
          <span class="option-section-count">
            {rows.length === 0 ? t('options.noEffect', { format }) : rows.length}
          </span>
        </button>
      </h2>
      {isOpen && (
        <div id={body}>
          {rows.map((name) => (
            <OptionRow key={name} name={name} hasNoEffect={id === 'without'} />
          ))}
          <OptionsWithoutEffect
            id={id}
            names={withoutEffect}
            isCollapsible={rows.length > 0 && !isFiltered.value}
          />
        </div>
      )}
    </section>
  );
}

interface OptionsWithoutEffectProps {
  readonly id: OptionSection['id'];
  readonly names: OptionSection['withoutEffect'];
  readonly isCollapsible: boolean;
}

function OptionsWithoutEffect({ id, names, isCollapsible }: OptionsWithoutEffectProps) {
  const key = `${id}/no-effect`;
  const isOpen = !isCollapsible || openSections.value.has(key);
  if (names.length === 0) return null;
  return (
    <>
      {isCollapsible && (
        <button
          type="button"
          class="option-fold"
          aria-expanded={isOpen}
          onClick={() => {
            toggleSection(key);
          }}
        >
          <ChevronRight size={14} aria-hidden="true" />
          {t('options.noEffect.count', { format: outputFormat.value.toUpperCase(), count: names.length })}
        </button>
      )}
      {isOpen && names.map((name) => <OptionRow key={name} name={name} hasNoEffect />)}
    </>
  );
}
