/** All settings in groups, with an index. */
import { Search } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { SettingsView } from '../../main/console/contract.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { t, type TextKey } from '../texts/text.ts';
import { settingChanges } from './setting-changes.ts';
import { matchesSearch } from './setting-rules.ts';
import { sectionsOf, type SettingGroup, type SettingSection } from './setting-groups.ts';
import { SettingRow } from './setting-row.tsx';

const titles: Readonly<Record<SettingGroup, TextKey>> = {
  listening: 'settings.group.listening',
  accounts: 'settings.group.accounts',
  work: 'settings.group.work',
  network: 'settings.group.network',
  pages: 'settings.group.pages',
  archives: 'settings.group.archives',
  records: 'settings.group.records',
  logs: 'settings.group.logs',
  service: 'settings.group.service',
  other: 'settings.group.other',
};

export type SettingsFilter = 'all' | 'changed';

interface SettingsFormProps {
  readonly view: SettingsView;
  readonly search: string;
  readonly filter: SettingsFilter;
  readonly onShowAll: () => void;
}

export function SettingsForm({ view, search, filter, onShowAll }: SettingsFormProps) {
  const sections = sectionsOf(view.settings)
    .map(({ group, settings }) => ({
      group,
      settings: settings.filter(
        (setting) =>
          matchesSearch(setting, search, t(titles[group])) &&
          (filter === 'all' ||
            setting.origin !== 'default' ||
            setting.written !== null ||
            isChanged(setting.name)),
      ),
    }))
    .filter(({ settings }) => settings.length > 0);
  if (sections.length === 0) return <NothingFound search={search} onShowAll={onShowAll} />;
  return (
    <div class="settings">
      <Index sections={sections} />
      <div class="settings-sections">
        {sections.map(({ group, settings }) => (
          <section
            key={group}
            id={`settings-${group}`}
            class="settings-section"
            aria-label={t(titles[group])}
          >
            <h2 tabIndex={-1}>{t(titles[group])}</h2>
            <div class="card">
              {settings.map((setting) => (
                <SettingRow key={setting.name} setting={setting} />
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  );
}

function isChanged(name: string): boolean {
  return settingChanges.value.has(name);
}

function NothingFound({ search, onShowAll }: Pick<SettingsFormProps, 'search' | 'onShowAll'>) {
  return (
    <Empty
      icon={Search}
      title={search === '' ? t('settings.changed.none') : t('settings.not.found', { search })}
      actions={<Button onClick={onShowAll}>{t('settings.show.all')}</Button>}
    >
      {t(search === '' ? 'settings.changed.none.sentence' : 'settings.not.found.sentence')}
    </Empty>
  );
}

function Index({ sections }: { readonly sections: readonly SettingSection[] }) {
  const [lastChosen, setLastChosen] = useState<SettingGroup>();
  return (
    <nav class="settings-index" aria-label={t('settings.groups')}>
      {sections.map(({ group, settings }) => {
        const changed = settings.filter(({ name }) => settingChanges.value.has(name)).length;
        return (
          <button
            type="button"
            key={group}
            aria-current={lastChosen === group ? 'true' : undefined}
            onClick={() => {
              setLastChosen(group);
              goTo(group);
            }}
          >
            {t(titles[group])}
            {changed > 0 && (
              <span class="badge" data-tone="accent">
                {changed}
              </span>
            )}
          </button>
        );
      })}
    </nav>
  );
}

/** Scrolls to a group. A link cannot be used, because it would change the URL fragment, which selects the view. */
function goTo(group: SettingGroup): void {
  const section = document.getElementById(`settings-${group}`);
  section?.scrollIntoView({ block: 'start' });
  section?.querySelector('h2')?.focus({ preventScroll: true });
}
