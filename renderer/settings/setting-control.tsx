/** The control of a setting: a switch, a list, a text field, or a write-only field for a secret. */
import { Switch, TextInput } from '../parts/field.tsx';
import { t } from '../texts/text.ts';
import { SecretControl } from './secret-control.tsx';
import { controlOf } from './setting-facts.ts';
import type { SettingControlProps } from './setting-control-props.ts';

export function SettingControl(props: SettingControlProps) {
  switch (controlOf(props.setting)) {
    case 'switch':
      return <OnOff {...props} />;
    case 'select':
      return <Words {...props} />;
    case 'secret':
      return <SecretControl {...props} />;
    case 'text':
      return <Line {...props} />;
  }
}

/** The value shown: the change or the value in the file; for a locked setting, the value in effect. */
function entered({ setting, change, locked }: SettingControlProps): string {
  if (locked) return setting.value ?? '';
  return (change === undefined ? setting.written : change) ?? '';
}

function OnOff(props: SettingControlProps) {
  const { setting, locked, labels, onChange } = props;
  const on = (entered(props) || setting.default) === 'on';
  return (
    <Switch
      label={t(on ? 'settings.on' : 'settings.off')}
      on={on}
      disabled={locked}
      control={labels}
      onSwitch={(wanted) => {
        const word = wanted ? 'on' : 'off';
        onChange(word === setting.default ? null : word);
      }}
    />
  );
}

function Words(props: SettingControlProps) {
  const { setting, locked, labels, onChange } = props;
  const { enum: words = [] } = setting.schema;
  const plain = words.includes(setting.default);
  return (
    <select
      class="input"
      value={entered(props)}
      disabled={locked}
      {...labels}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value === '' ? null : currentTarget.value);
      }}
    >
      <option value="">
        {plain ? t('settings.default.value', { value: setting.default }) : t('settings.default.none')}
      </option>
      {words.map((word) => (
        <option key={word} value={word}>
          {word}
        </option>
      ))}
    </select>
  );
}

function Line(props: SettingControlProps) {
  const { setting, locked, labels, onChange } = props;
  return (
    <TextInput
      value={entered(props)}
      onText={onChange}
      placeholder={setting.default.replaceAll('`', '')}
      disabled={locked}
      inputMode={setting.schema.type === 'integer' ? 'numeric' : 'text'}
      autocomplete="off"
      spellcheck={false}
      dir="auto"
      {...labels}
    />
  );
}
