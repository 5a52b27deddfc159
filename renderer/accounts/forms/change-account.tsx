/** The dialog that changes the refill, limits and rights of an account. */
import { useState } from 'preact/hooks';
import type { AccountFacts } from '../../../main/accounts/account.ts';
import { useBridge } from '../../bridge/bridge.ts';
import { t } from '../../texts/text.ts';
import { changeOf, draftOf, problemsIn } from './account-draft.ts';
import { LimitFields, RefillFields, RightFields, type AccountFieldsProps } from './account-fields.tsx';
import { FormDialog } from './form-dialog.tsx';

export interface AccountDialogProps {
  readonly account: AccountFacts;
  readonly onClose: () => void;
  /** Called after the account was changed or removed. */
  readonly onChanged: () => Promise<void>;
}

export function ChangeAccount({ account, onClose, onChanged }: AccountDialogProps) {
  const bridge = useBridge();
  const [before] = useState(() => draftOf(account));
  const [draft, setDraft] = useState(before);
  // Accounts from the setting `accounts` may have names that this form would reject.
  const { name: _name, ...problems } = problemsIn(draft);
  const props: AccountFieldsProps = {
    draft,
    problems,
    onChange: (change) => {
      setDraft({ ...draft, ...change });
    },
  };
  const save = async () => {
    const change = changeOf(before, draft);
    if (Object.keys(change).length > 0) await bridge.call('changeAccount', { name: account.name, ...change });
    await onChanged();
  };
  return (
    <FormDialog
      title={t('accounts.change.title', { account: account.name })}
      submitLabel={t('action.save')}
      isSubmitDisabled={Object.keys(problems).length > 0}
      onClose={onClose}
      onSubmit={save}
    >
      {draft.limited && <RefillFields {...props} />}
      <LimitFields {...props} />
      <RightFields {...props} />
    </FormDialog>
  );
}
