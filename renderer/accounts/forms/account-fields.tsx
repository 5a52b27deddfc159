/** Form fields for new and existing accounts: refill, limits and rights. */
import { Field, Switch, TextInput } from '../../parts/field.tsx';
import { t } from '../../texts/text.ts';
import type { AccountDraft, DraftProblems } from './account-draft.ts';

export interface AccountFieldsProps {
  readonly draft: AccountDraft;
  readonly problems: DraftProblems;
  readonly onChange: (change: Partial<AccountDraft>) => void;
}

export function RefillFields({ draft, problems, onChange }: AccountFieldsProps) {
  const { period, refill } = draft;
  return (
    <div class="form-pair">
      <Field label={t('accounts.refill')} hint={t('accounts.refill.hint')}>
        {(control) => (
          <select
            class="input"
            value={period}
            {...control}
            onChange={({ currentTarget }) => {
              onChange({ period: currentTarget.value as AccountDraft['period'] });
            }}
          >
            <option value="none">{t('accounts.refill.none')}</option>
            <option value="day">{t('accounts.refill.day')}</option>
            <option value="month">{t('accounts.refill.month')}</option>
          </select>
        )}
      </Field>
      {period !== 'none' && (
        <Field label={t('accounts.refill.to')} error={problems.refill && t(problems.refill)}>
          {(control) => (
            <TextInput
              inputMode="numeric"
              value={refill}
              onText={(text) => {
                onChange({ refill: text });
              }}
              {...control}
            />
          )}
        </Field>
      )}
    </div>
  );
}

export function LimitFields(props: AccountFieldsProps) {
  return (
    <div class="form-pair">
      <LimitField {...props} field="jobsAtOnce" />
      <LimitField {...props} field="jobsPerMinute" />
    </div>
  );
}

function LimitField({
  draft,
  problems,
  onChange,
  field,
}: AccountFieldsProps & { readonly field: 'jobsAtOnce' | 'jobsPerMinute' }) {
  const problem = problems[field];
  return (
    <Field label={t(`accounts.${field}`)} error={problem && t(problem)}>
      {(control) => (
        <TextInput
          inputMode="numeric"
          placeholder={t('accounts.limit.none')}
          value={draft[field]}
          onText={(text) => {
            onChange({ [field]: text });
          }}
          {...control}
        />
      )}
    </Field>
  );
}

export function RightFields({ draft, onChange }: AccountFieldsProps) {
  return (
    <>
      <CheckField
        label={t('accounts.operator')}
        hint={t('accounts.operator.hint')}
        on={draft.operator}
        onSwitch={(operator) => {
          onChange({ operator });
        }}
      />
      <CheckField
        label={t('accounts.debugLog')}
        hint={t('accounts.debugLog.hint')}
        on={draft.debugLog}
        onSwitch={(debugLog) => {
          onChange({ debugLog });
        }}
      />
    </>
  );
}

interface CheckFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly on: boolean;
  readonly onSwitch: (on: boolean) => void;
}

/** A switch with a hint below it. */
function CheckField({ label, hint, on, onSwitch }: CheckFieldProps) {
  return (
    <div class="field">
      <Switch label={label} on={on} onSwitch={onSwitch} />
      <p class="field-hint check-hint">{hint}</p>
    </div>
  );
}
