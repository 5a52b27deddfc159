/** The bar below the settings: number of changes, errors, and buttons to save and discard. */
import { Save } from 'lucide-preact';
import type { SettingsView } from '../../main/console/contract.ts';
import { useBridge } from '../bridge/bridge.ts';
import { useAction } from '../parts/use-action.tsx';
import { ActionError } from '../parts/use-action.tsx';
import { Button } from '../parts/button.tsx';
import { showToast } from '../parts/toasts.tsx';
import { t } from '../texts/text.ts';
import { settingChanges, discardChanges, saveError, splitSaveError } from './setting-changes.ts';
import { isInvalid } from './setting-rules.ts';
import { messageOf } from '../../main/failure/failure.ts';

interface SaveBarProps {
  readonly view: SettingsView;
  readonly onSaved: () => Promise<void>;
  /** Clears the search and the filter, which may hide the invalid setting. */
  readonly onShowAll: () => void;
}

export function SaveBar({ view, onSaved, onShowAll }: SaveBarProps) {
  const bridge = useBridge();
  const { isBusy, execute } = useAction();
  const count = settingChanges.value.size;
  if (count === 0) return null;
  const invalid = view.settings.filter((setting) => {
    const change = settingChanges.value.get(setting.name);
    return typeof change === 'string' && !setting.secret && isInvalid(setting, change);
  });
  const save = async () => {
    if (invalid[0] !== undefined) {
      onShowAll();
      focusOn(invalid[0].name);
      return;
    }
    const isSaved = await execute(async () => {
      try {
        await bridge.call('changeSettings', { values: Object.fromEntries(settingChanges.value) });
      } catch (problem) {
        showSaveError(problem, onShowAll);
        throw problem;
      }
    });
    if (!isSaved) return;
    discardChanges();
    showToast(t('settings.saved'));
    await onSaved();
  };
  return (
    <div class="save-bar" role="region" aria-label={t('settings.changes')}>
      <div class="save-bar-text">
        <strong>{t('settings.count', { count })}</strong>
        {invalid.length > 0 && (
          <span class="save-bar-invalid">{t('settings.wrong', { count: invalid.length })}</span>
        )}
        <ActionError text={saveError.value.general} />
      </div>
      <Button disabled={isBusy} onClick={discardChanges}>
        {t('settings.discard')}
      </Button>
      <Button tone="primary" icon={Save} disabled={isBusy} onClick={() => void save()}>
        {t('action.save')}
      </Button>
    </div>
  );
}

function showSaveError(problem: unknown, onShowAll: () => void): void {
  const message = messageOf(problem);
  saveError.value = splitSaveError(message, [...settingChanges.value.keys()]);
  const [first] = saveError.value.bySetting.keys();
  if (first === undefined) return;
  onShowAll();
  focusOn(first);
}

/** Scrolls to a setting and focuses its control, in the next animation frame. */
function focusOn(name: string): void {
  requestAnimationFrame(() => {
    const control = document.getElementById(`setting-${name}`);
    control?.scrollIntoView({ block: 'center' });
    control?.focus({ preventScroll: true });
  });
}
