/** The control of a setting: a switch, a list, a text field, or a write-only field for a secret. */
import { useState } from 'preact/hooks';
import type { SettingView } from '../../main/console/contract.ts';
import { Button } from '../parts/button.tsx';
import { Switch, TextInput, type ControlProps } from '../parts/field.tsx';
import { t } from '../texts/text.ts';
import { controlOf } from './setting-rules.ts';

interface SettingControlProps {
  readonly setting: SettingView;
  /** The unsaved value; null resets the setting, undefined means no change. */
  readonly change: string | null | undefined;
  readonly isLocked: boolean;
  readonly labels: ControlProps;
  readonly onChange: (value: string | null | undefined) => void;
}

export function SettingControl(props: SettingControlProps) {
  switch (controlOf(props.setting)) {
    case 'switch':
      return <SwitchControl {...props} />;
    case 'select':
      return <SelectControl {...props} />;
    case 'secret':
      return <SecretControl {...props} />;
    case 'text':
      return <TextControl {...props} />;
  }
}

/**
 * Returns the value to show: for a locked setting, the value in effect; otherwise, the unsaved change or the value in the settings
 * file.
 */
function shownValue({ setting, change, isLocked }: SettingControlProps): string {
  if (isLocked) return setting.value ?? '';
  return (change === undefined ? setting.written : change) ?? '';
}

function SwitchControl(props: SettingControlProps) {
  const { setting, isLocked, labels, onChange } = props;
  const on = (shownValue(props) || setting.default) === 'on';
  return (
    <Switch
      label={t(on ? 'settings.on' : 'settings.off')}
      on={on}
      disabled={isLocked}
      control={labels}
      onSwitch={(isOn) => {
        const value = isOn ? 'on' : 'off';
        onChange(value === setting.default ? null : value);
      }}
    />
  );
}

function SelectControl(props: SettingControlProps) {
  const { setting, isLocked, labels, onChange } = props;
  const { enum: values = [] } = setting.schema;
  const hasDefault = values.includes(setting.default);
  return (
    <select
      class="input"
      value={shownValue(props)}
      disabled={isLocked}
      {...labels}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value === '' ? null : currentTarget.value);
      }}
    >
      <option value="">
        {hasDefault ? t('settings.default.value', { value: setting.default }) : t('settings.default.none')}
      </option>
      {values.map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </select>
  );
}

function TextControl(props: SettingControlProps) {
  const { setting, isLocked, labels, onChange } = props;
  return (
    <TextInput
      value={shownValue(props)}
      onText={onChange}
      placeholder={setting.default.replaceAll('`', '')}
      disabled={isLocked}
      inputMode={setting.schema.type === 'integer' ? 'numeric' : 'text'}
      autocomplete="off"
      spellcheck={false}
      dir="auto"
      {...labels}
    />
  );
}

/** Shows whether a secret is set, and lets the operator replace it. The secret itself is never shown. */
function SecretControl(props: SettingControlProps) {
  const { setting, change, isLocked, onChange } = props;
  const [isEntering, setEntering] = useState(false);
  const cancel = () => {
    setEntering(false);
    onChange(undefined);
  };
  if (isEntering || typeof change === 'string') return <SecretInput {...props} onCancel={cancel} />;
  const isSet = (isLocked ? setting.value : change === null ? null : setting.written) !== null;
  const replace = () => {
    setEntering(true);
  };
  return (
    <div class="secret">
      <span class="secret-status" data-set={isSet ? '' : undefined}>
        {t(isSet ? 'settings.secret.set' : 'settings.secret.none')}
      </span>
      {!isLocked && <SecretButtons {...props} isSet={isSet} onReplace={replace} />}
    </div>
  );
}

interface SecretButtonsProps extends SettingControlProps {
  readonly isSet: boolean;
  readonly onReplace: () => void;
}

function SecretButtons({
  setting: { name },
  change,
  labels,
  onChange,
  isSet,
  onReplace,
}: SecretButtonsProps) {
  const keep = () => {
    onChange(undefined);
  };
  const remove = () => {
    onChange(null);
  };
  // The unsaved change removes the secret.
  if (change === null) return <Button onClick={keep}>{t('settings.secret.keep')}</Button>;
  const verb = isSet ? 'replace' : 'enter';
  return (
    <>
      <Button id={labels.id} aria-label={t(`settings.secret.${verb}.of`, { name })} onClick={onReplace}>
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

interface SecretInputProps extends SettingControlProps {
  readonly onCancel: () => void;
}

function SecretInput({ change, labels, onChange, onCancel }: SecretInputProps) {
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
      <Button tone="quiet" onClick={onCancel}>
        {t('action.cancel')}
      </Button>
    </div>
  );
}
