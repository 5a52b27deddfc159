/** The "Settings" view: the settings that an operator can change, and a banner for changes that take effect after a restart. */
import { useState } from 'preact/hooks';
import { useBridge } from '../bridge/bridge.ts';
import { Segments } from '../parts/choice.tsx';
import { SearchInput } from '../parts/field.tsx';
import { Loaded, useRequest } from '../parts/use-request.tsx';
import { RestartBanner } from '../settings/restart.tsx';
import { SaveBar } from '../settings/save-bar.tsx';
import { SettingsForm, type SettingsFilter } from '../settings/settings-form.tsx';
import { t } from '../texts/text.ts';
import '../settings/settings.css';

export function SettingsView() {
  const bridge = useBridge();
  const settingsRequest = useRequest(() => bridge.call('settings', {}), [bridge]);
  const [search, setSearch] = useState('');
  const [settingsFilter, setSettingsFilter] = useState<SettingsFilter>('all');
  const showAll = () => {
    setSearch('');
    setSettingsFilter('all');
  };
  return (
    <section class="view" aria-label={t('nav.settings')}>
      <header class="view-head">
        <h1>{t('nav.settings')}</h1>
        <div class="view-head-space" />
        <Segments
          label={t('settings.filter')}
          choices={[
            { value: 'all', label: t('settings.filter.all') },
            { value: 'changed', label: t('settings.filter.changed') },
          ]}
          value={settingsFilter}
          onChoose={setSettingsFilter}
        />
        <div class="settings-search">
          <SearchInput label={t('settings.search')} value={search} onText={setSearch} />
        </div>
      </header>
      <Loaded request={settingsRequest}>
        {(view) => (
          <>
            <RestartBanner view={view} onRestarted={settingsRequest.reload} />
            <div class="view-body">
              <SettingsForm view={view} search={search} filter={settingsFilter} onShowAll={showAll} />
              <p class="settings-file" dir="auto">
                {t('settings.file')} <code dir="ltr">{view.file}</code>
              </p>
            </div>
            <SaveBar view={view} onSaved={settingsRequest.reload} onShowAll={showAll} />
          </>
        )}
      </Loaded>
    </section>
  );
}
