/** One setting: name, description, control, source of its value, and errors. */
import { CircleAlert, Lock as LockIcon, RotateCcw } from 'lucide-preact';
import type { SettingView } from '../../main/console/contract.ts';
import { IconButton } from '../parts/button.tsx';
import { t } from '../texts/text.ts';
import { settingChanges, changeSetting, saveError } from './setting-changes.ts';
import { SettingControl } from './setting-control.tsx';
import { controlOf, isInvalid, lockOf, waitsForRestart, type SettingLock } from './setting-rules.ts';

export function SettingRow({ setting }: { readonly setting: SettingView }) {
  const { name, description } = setting;
  const change = settingChanges.value.get(name);
  const lock = lockOf(setting);
  const problem = problemOf(setting, change);
  const id = `setting-${name}`;
  const describedBy = [`${id}-description`, problem === undefined ? `${id}-notes` : `${id}-error`];
  const onChange = (value: string | null | undefined) => {
    changeSetting(setting, value);
  };
  const labels = {
    id,
    'aria-describedby': describedBy.join(' '),
    ...(problem !== undefined && { 'aria-invalid': true }),
  };
  return (
    <div class="setting" data-changed={change === undefined ? undefined : ''}>
      <div class="setting-text">
        <label class="setting-name" for={id}>
          {name}
        </label>
        <Sentence id={`${id}-description`} class="setting-description" text={description} />
      </div>
      <div class="setting-value">
        <div class="setting-entry">
          <SettingControl
            setting={setting}
            change={change}
            labels={labels}
            isLocked={lock !== undefined}
            onChange={onChange}
          />
          {isResettable(setting, change) && (
            <IconButton
              icon={RotateCcw}
              label={t('settings.reset')}
              aria-label={t('settings.reset.of', { name })}
              onClick={() => {
                onChange(null);
              }}
            />
          )}
        </div>
        {problem === undefined ? (
          <Notes id={`${id}-notes`} setting={setting} change={change} lock={lock} />
        ) : (
          <p id={`${id}-error`} class="field-error" role="alert" dir="auto">
            <CircleAlert size={14} aria-hidden="true" />
            {problem}
          </p>
        )}
      </div>
    </div>
  );
}

function problemOf(setting: SettingView, change: string | null | undefined): string | undefined {
  const serviceError = saveError.value.bySetting.get(setting.name);
  if (serviceError !== undefined) return serviceError;
  if (setting.secret || typeof change !== 'string' || !isInvalid(setting, change)) return undefined;
  return t('settings.allowed', { allowed: setting.allowed });
}

function isResettable(setting: SettingView, change: string | null | undefined): boolean {
  if (lockOf(setting) !== undefined || controlOf(setting) !== 'text') return false;
  return (change === undefined ? setting.written : change) !== null;
}

interface NotesProps {
  readonly id: string;
  readonly setting: SettingView;
  readonly change: string | null | undefined;
  readonly lock: SettingLock | undefined;
}

/** Notes below a setting: the lock, the value in effect until the restart, allowed values and the default. */
function Notes({ id, setting, change, lock }: NotesProps) {
  const isText = controlOf(setting) === 'text';
  return (
    <div id={id} class="setting-notes">
      {lock !== undefined && (
        <p class="setting-lock">
          <LockIcon size={12} aria-hidden="true" />
          <span>{lockText(lock)}</span>
        </p>
      )}
      {waitsForRestart(setting) && <p class="setting-pending">{pendingText(setting)}</p>}
      {lock === undefined && isText && (
        <p dir="auto">{t('settings.allowed', { allowed: setting.allowed })}</p>
      )}
      {!isDefaultShown(setting, change) && (
        <Sentence text={t('settings.default', { value: setting.default || t('settings.nothing') })} />
      )}
    </div>
  );
}

/** The placeholder of the text field shows the default, but longer defaults do not fit. */
const maxDefaultLength = 28;

/** Returns whether the control itself shows the default. */
function isDefaultShown(setting: SettingView, change: string | null | undefined): boolean {
  const { schema, written, value, default: defaultValue } = setting;
  switch (controlOf(setting)) {
    case 'secret':
      return defaultValue === 'none';
    case 'select':
      return schema.enum?.includes(defaultValue) === true;
    case 'switch':
      return (change === undefined ? written : change) === null;
    case 'text':
      if (lockOf(setting) !== undefined) return value === defaultValue;
      return (change === undefined ? written : change) === null && defaultValue.length <= maxDefaultLength;
  }
}

function lockText(lock: SettingLock): string {
  if ('source' in lock) return t(`settings.lock.${lock.lockedBy}`, { source: lock.source });
  return t(`settings.lock.${lock.lockedBy}`);
}

function pendingText({ secret, value }: SettingView): string {
  if (secret) return t('settings.pending.secret');
  return value === null ? t('settings.pending.none') : t('settings.pending', { value });
}

interface SentenceProps {
  readonly text: string;
  readonly class?: string;
  readonly id?: string;
}

/** Text from the service, in English. Renders the parts between backticks as code. */
function Sentence({ text, ...rest }: SentenceProps) {
  return (
    <p lang="en" dir="auto" {...rest}>
      {text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </p>
  );
}
