/** Preferences: theme and language; in the tray window also starting at login and opening the logs folder. */
import { FolderOpen } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { useBridge, type NativeFunctions, type LoginItem } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { Segments, type Choice } from '../parts/choice.tsx';
import { Switch } from '../parts/field.tsx';
import { showToast } from '../parts/toasts.tsx';
import { languageChoice, setPreferences, theme, type Theme } from '../state/preferences.ts';
import { languages, t, type Language } from '../texts/text.ts';
import { messageOf } from '../../main/failure/failure.ts';

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
              onChoose={(choice) => {
                setPreferences(bridge, { theme: choice });
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
              onChoose={(choice) => {
                setPreferences(bridge, { language: choice });
              }}
            />
          </div>
        </div>
        {bridge.native && <NativePreferences native={bridge.native} />}
        <p class="field-hint">
          {t(bridge.native ? 'preferences.stored.tray' : 'preferences.stored.browser')}
        </p>
      </div>
    </section>
  );
}

/** Returns the language choices. Each language is named in its own language. */
function languageChoices(): Choice<Language | 'system'>[] {
  const named = Object.entries(languages) as [Language, { readonly name: string }][];
  return [
    { value: 'system', label: t('preferences.theme.system') },
    ...named.map(([value, { name }]) => ({ value, label: <span lang={value}>{name}</span> })),
  ];
}

function NativePreferences({ native }: { readonly native: NativeFunctions }) {
  const [login, setLogin] = useState<LoginItem>();
  const showError = (problem: unknown) => {
    showToast(messageOf(problem), 'error');
  };
  useEffect(() => {
    native.loginItem().then(setLogin, showError);
  }, [native]);
  const setStartAtLogin = (on: boolean) => {
    native.setLoginItem(on).then(setLogin, showError);
  };
  return (
    <>
      <div class="field">
        <Switch
          label={t('preferences.login')}
          on={login?.on === true}
          disabled={login?.possible !== true}
          onSwitch={setStartAtLogin}
        />
        {login?.obstacle !== undefined && (
          <p class="field-hint">{t(`preferences.login.${login.obstacle}`)}</p>
        )}
      </div>
      <div>
        <Button icon={FolderOpen} onClick={() => void native.showLogs().catch(showError)}>
          {t('preferences.logs')}
        </Button>
      </div>
    </>
  );
}
