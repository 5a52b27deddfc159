/** One setting: name, description, control, source of its value, and errors. */
import { CircleAlert, Lock as LockIcon, RotateCcw } from 'lucide-preact';
import type { SettingView } from '../../main/console/contract.ts';
import { IconButton } from '../parts/button.tsx';
import { t } from '../texts/text.ts';
import { Sentence } from './sentence.tsx';
import { settingChanges, changeSetting, refusal } from './setting-changes.ts';
import { SettingControl } from './setting-control.tsx';
import { controlOf, isInvalid, lockOf, waitsForRestart, type Lock } from './setting-facts.ts';

export function SettingRow({ setting }: { readonly setting: SettingView }) {
  const { name, says } = setting;
  const change = settingChanges.value.get(name);
  const lock = lockOf(setting);
  const problem = problemOf(setting, change);
  const id = `setting-${name}`;
  const words = [`${id}-says`, problem === undefined ? `${id}-notes` : `${id}-error`];
  const onChange = (wanted: string | null | undefined) => {
    changeSetting(setting, wanted);
  };
  const labels = {
    id,
    'aria-describedby': words.join(' '),
    ...(problem !== undefined && { 'aria-invalid': true }),
  };
  return (
    <div class="setting" data-changed={change === undefined ? undefined : ''}>
      <div class="setting-words">
        <label class="setting-name" for={id}>
          {name}
        </label>
        <Sentence id={`${id}-says`} class="setting-says" text={says} />
      </div>
      <div class="setting-value">
        <div class="setting-entry">
          <SettingControl {...{ setting, change, labels, onChange }} locked={lock !== undefined} />
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
          <Notes id={`${id}-notes`} {...{ setting, change, lock }} />
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
  const said = refusal.value.of.get(setting.name);
  if (said !== undefined) return said;
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
  readonly lock: Lock | undefined;
}

/** Notes below a setting: the lock, the value in effect until the restart, allowed values and the default. */
function Notes({ id, setting, change, lock }: NotesProps) {
  const isText = controlOf(setting) === 'text';
  return (
    <div id={id} class="setting-notes">
      {lock !== undefined && (
        <p class="setting-lock">
          <LockIcon size={12} aria-hidden="true" />
          <span>{lockWords(lock)}</span>
        </p>
      )}
      {waitsForRestart(setting) && <p class="setting-waits">{waitingWords(setting)}</p>}
      {lock === undefined && isText && (
        <p dir="auto">{t('settings.allowed', { allowed: setting.allowed })}</p>
      )}
      {!showsItsDefault(setting, change) && (
        <Sentence text={t('settings.default', { value: setting.default || t('settings.nothing') })} />
      )}
    </div>
  );
}

/** Longer defaults do not fit into the text field. */
const longest = 28;

/** Whether the control itself shows the default. */
function showsItsDefault(setting: SettingView, change: string | null | undefined): boolean {
  const { schema, written, value, default: usual } = setting;
  switch (controlOf(setting)) {
    case 'secret':
      return usual === 'none';
    case 'select':
      return schema.enum?.includes(usual) === true;
    case 'switch':
      return (change === undefined ? written : change) === null;
    case 'text':
      if (lockOf(setting) !== undefined) return value === usual;
      return (change === undefined ? written : change) === null && usual.length <= longest;
  }
}

function lockWords(lock: Lock): string {
  if ('place' in lock) return t(`settings.lock.${lock.by}`, { place: lock.place });
  return t(`settings.lock.${lock.by}`);
}

function waitingWords({ secret, value }: SettingView): string {
  if (secret) return t('settings.waits.secret');
  return value === null ? t('settings.waits.none') : t('settings.waits', { value });
}
