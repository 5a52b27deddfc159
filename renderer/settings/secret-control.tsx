/** A secret setting: shows whether it is set, and replaces it. Its value is never shown. */
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { TextInput } from '../parts/field.tsx';
import { t } from '../texts/text.ts';
import type { SettingControlProps } from './setting-control-props.ts';

export function SecretControl(props: SettingControlProps) {
  const { setting, change, locked, onChange } = props;
  const [entering, setEntering] = useState(false);
  const leave = () => {
    setEntering(false);
    onChange(undefined);
  };
  if (entering || typeof change === 'string') return <Entering {...props} onLeave={leave} />;
  const isSet = (locked ? setting.value : change === null ? null : setting.written) !== null;
  const enter = () => {
    setEntering(true);
  };
  return (
    <div class="secret">
      <span class="secret-is" data-set={isSet ? '' : undefined}>
        {t(isSet ? 'settings.secret.set' : 'settings.secret.none')}
      </span>
      {!locked && <Deeds {...props} isSet={isSet} onEnter={enter} />}
    </div>
  );
}

interface DeedsProps extends SettingControlProps {
  readonly isSet: boolean;
  readonly onEnter: () => void;
}

function Deeds({ setting: { name }, change, labels, onChange, isSet, onEnter }: DeedsProps) {
  const keep = () => {
    onChange(undefined);
  };
  const remove = () => {
    onChange(null);
  };
  // The change removes the secret.
  if (change === null) return <Button onClick={keep}>{t('settings.secret.keep')}</Button>;
  const verb = isSet ? 'replace' : 'enter';
  return (
    <>
      <Button id={labels.id} aria-label={t(`settings.secret.${verb}.of`, { name })} onClick={onEnter}>
        {t(`settings.secret.${verb}`)}
      </Button>
      {isSet && (
        <Button tone="quiet" aria-label={t('settings.secret.remove.of', { name })} onClick={remove}>
          {t('settings.secret.remove')}
        </Button>
      )}
    </>
  );
}

interface EnteringProps extends SettingControlProps {
  readonly onLeave: () => void;
}

function Entering({ change, labels, onChange, onLeave }: EnteringProps) {
  return (
    <div class="secret">
      <TextInput
        type="password"
        value={change ?? ''}
        onText={(text) => {
          onChange(text === '' ? undefined : text);
        }}
        autocomplete="new-password"
        autoFocus
        {...labels}
      />
      <Button tone="quiet" onClick={onLeave}>
        {t('action.cancel')}
      </Button>
    </div>
  );
}
