/** Preferences: theme and language; in the tray window also start at login and the logs folder. */
import { FolderOpen } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { useBridge, type Desk, type LoginItem } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { Segments, type Choice } from '../parts/choice.tsx';
import { Switch } from '../parts/field.tsx';
import { tell } from '../parts/toasts.tsx';
import { languageChoice, prefer, theme, type Theme } from '../shell/preferences.ts';
import { languages, t, type Language } from '../texts/text.ts';

export function Preferences() {
  const bridge = useBridge();
  const themes: readonly Theme[] = ['system', 'light', 'dark'];
  return (
    <section class="card" aria-labelledby="preferences">
      <div class="card-head">
        <h2 id="preferences">{t('preferences.title')}</h2>
      </div>
      <div class="card-body stack">
        <div class="field">
          <span class="field-label">{t('preferences.theme')}</span>
          <div>
            <Segments
              label={t('preferences.theme')}
              choices={themes.map((value) => ({ value, label: t(`preferences.theme.${value}`) }))}
              value={theme.value}
              onChoose={(wanted) => {
                prefer(bridge, { theme: wanted });
              }}
            />
          </div>
        </div>
        <div class="field">
          <span class="field-label">{t('preferences.language')}</span>
          <div>
            <Segments
              label={t('preferences.language')}
              choices={languageChoices()}
              value={languageChoice.value}
              onChoose={(wanted) => {
                prefer(bridge, { language: wanted });
              }}
            />
          </div>
        </div>
        {bridge.desk && <DeskPreferences desk={bridge.desk} />}
        <p class="field-hint">{t(bridge.desk ? 'preferences.kept.tray' : 'preferences.kept.browser')}</p>
      </div>
    </section>
  );
}

/** The name of each language in that language. */
function languageChoices(): Choice<Language | 'system'>[] {
  const named = Object.entries(languages) as [Language, { readonly name: string }][];
  return [
    { value: 'system', label: t('preferences.theme.system') },
    ...named.map(([value, { name }]) => ({ value, label: <span lang={value}>{name}</span> })),
  ];
}

function DeskPreferences({ desk }: { readonly desk: Desk }) {
  const [login, setLogin] = useState<LoginItem>();
  const complain = (problem: unknown) => {
    tell(problem instanceof Error ? problem.message : String(problem), 'error');
  };
  useEffect(() => {
    desk.loginItem().then(setLogin, complain);
  }, [desk]);
  const setStart = (on: boolean) => {
    desk.startAtLogin(on).then(setLogin, complain);
  };
  return (
    <>
      <div class="field">
        <Switch
          label={t('preferences.login')}
          on={login?.on === true}
          disabled={login?.possible !== true}
          onSwitch={setStart}
        />
      </div>
      <div>
        <Button icon={FolderOpen} onClick={() => void desk.showLogs().catch(complain)}>
          {t('preferences.logs')}
        </Button>
      </div>
    </>
  );
}
