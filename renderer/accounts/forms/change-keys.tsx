/** The dialogs that create and revoke a key. */
import { useState } from 'preact/hooks';
import type { KeyFacts } from '../../../main/accounts/account.ts';
import { useBridge } from '../../bridge/bridge.ts';
import { Field, TextInput } from '../../parts/field.tsx';
import { showToast } from '../../parts/toasts.tsx';
import { t } from '../../texts/text.ts';
import { FormDialog } from './form-dialog.tsx';

interface AddKeyProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onAdded: (key: string) => Promise<void>;
}

export function AddKey({ name, onClose, onAdded }: AddKeyProps) {
  const bridge = useBridge();
  const [purpose, setPurpose] = useState('');
  const add = async () => {
    const { key } = await bridge.call('addKey', { name, purpose: purpose.trim() });
    await onAdded(key);
  };
  return (
    <FormDialog
      title={t('accounts.keys.title', { account: name })}
      submitLabel={t('accounts.keys.create')}
      isSubmitDisabled={purpose.trim() === ''}
      onClose={onClose}
      onSubmit={add}
    >
      <Field label={t('accounts.keys.purpose')} hint={t('accounts.keys.purpose.hint')}>
        {(control) => (
          <TextInput
            value={purpose}
            onText={setPurpose}
            maxLength={100}
            autoFocus
            autocomplete="off"
            dir="auto"
            {...control}
          />
        )}
      </Field>
    </FormDialog>
  );
}

interface RevokeKeyProps {
  readonly name: string;
  readonly facts: KeyFacts;
  readonly onRevoked: () => Promise<void>;
  readonly onClose: () => void;
}

export function RevokeKey({ name, facts, onRevoked, onClose }: RevokeKeyProps) {
  const bridge = useBridge();
  const revoke = async () => {
    await bridge.call('revokeKey', { name, id: facts.id });
    showToast(t('accounts.keys.revoke.done', { purpose: facts.name }));
    await onRevoked();
  };
  return (
    <FormDialog
      title={t('accounts.keys.revoke.title', { purpose: facts.name })}
      submitLabel={t('accounts.keys.revoke')}
      tone="danger"
      onClose={onClose}
      onSubmit={revoke}
    >
      <p>{t('accounts.keys.revoke.sentence')}</p>
    </FormDialog>
  );
}
