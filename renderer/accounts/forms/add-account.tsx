/** The dialog that adds an account: name, credits, limits and rights. The service returns the key of the new account. */
import { useState } from 'preact/hooks';
import { useBridge } from '../../bridge/bridge.ts';
import { Segments } from '../../parts/choice.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { t } from '../../texts/text.ts';
import { newAccountOf, newDraft, problemsIn, type AccountDraft } from './account-draft.ts';
import { LimitFields, RefillFields, RightFields, type AccountFieldsProps } from './account-fields.tsx';
import { FormDialog } from './form-dialog.tsx';
import type { CreatedKey } from './key-dialog.tsx';

interface AddAccountProps {
  readonly onClose: () => void;
  readonly onAdded: (createdKey: CreatedKey) => void;
}

export function AddAccount({ onClose, onAdded }: AddAccountProps) {
  const bridge = useBridge();
  const [draft, setDraft] = useState<AccountDraft>(newDraft);
  const { name: nameProblem, ...others } = problemsIn(draft);
  const problems = { ...others, ...(draft.name !== '' && nameProblem && { name: nameProblem }) };
  const props: AccountFieldsProps = {
    draft,
    problems,
    onChange: (change) => {
      setDraft({ ...draft, ...change });
    },
  };
  const add = async () => {
    const { key } = await bridge.call('addAccount', newAccountOf(draft));
    onAdded({ account: draft.name, secret: key });
  };
  return (
    <FormDialog
      title={t('accounts.add.title')}
      submitLabel={t('accounts.add.do')}
      isSubmitDisabled={nameProblem !== undefined || Object.keys(others).length > 0}
      onClose={onClose}
      onSubmit={add}
    >
      <NameField {...props} />
      <CreditsFields {...props} />
      {draft.limited && <RefillFields {...props} />}
      <LimitFields {...props} />
      <RightFields {...props} />
    </FormDialog>
  );
}

function NameField({ draft, problems, onChange }: AccountFieldsProps) {
  return (
    <Field
      label={t('accounts.name')}
      hint={t('accounts.name.hint')}
      error={problems.name && t(problems.name)}
    >
      {(control) => (
        <TextInput
          value={draft.name}
          onText={(name) => {
            onChange({ name });
          }}
          autoFocus
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          {...control}
        />
      )}
    </Field>
  );
}

function CreditsFields({ draft, problems, onChange }: AccountFieldsProps) {
  return (
    <div class="form-pair">
      <div class="field">
        <span class="field-label">{t('accounts.credits')}</span>
        <Segments
          label={t('accounts.credits')}
          choices={[
            { value: 'unlimited', label: t('accounts.unlimited') },
            { value: 'limited', label: t('accounts.limited') },
          ]}
          value={draft.limited ? 'limited' : 'unlimited'}
          onChoose={(choice) => {
            onChange({ limited: choice === 'limited' });
          }}
        />
      </div>
      {draft.limited && (
        <Field label={t('accounts.credits.first')} error={problems.credits && t(problems.credits)}>
          {(control) => (
            <TextInput
              inputMode="numeric"
              value={draft.credits}
              onText={(credits) => {
                onChange({ credits });
              }}
              {...control}
            />
          )}
        </Field>
      )}
    </div>
  );
}
