/** The dialog that removes an account. To confirm, the user types the account name. */
import { useState } from 'preact/hooks';
import { useBridge } from '../../bridge/bridge.ts';
import { Field, TextInput } from '../../parts/field.tsx';
import { showToast } from '../../parts/toasts.tsx';
import { t } from '../../texts/text.ts';
import type { AccountDialogProps } from './change-account.tsx';
import { FormDialog } from './form-dialog.tsx';

export function RemoveAccount({ account, onClose, onChanged }: AccountDialogProps) {
  const bridge = useBridge();
  const [typed, setTyped] = useState('');
  const { name } = account;
  const remove = async () => {
    await bridge.call('removeAccount', { name });
    showToast(t('accounts.removed', { account: name }));
    await onChanged();
  };
  return (
    <FormDialog
      title={t('accounts.remove.title', { account: name })}
      submitLabel={t('accounts.remove.do')}
      tone="danger"
      isSubmitDisabled={typed !== name}
      onClose={onClose}
      onSubmit={remove}
    >
      <p>{t('accounts.remove.sentence')}</p>
      <Field label={t('accounts.remove.type', { account: name })}>
        {(control) => (
          <TextInput
            value={typed}
            onText={setTyped}
            autoFocus
            autocomplete="off"
            spellcheck={false}
            dir="auto"
            {...control}
          />
        )}
      </Field>
    </FormDialog>
  );
}
