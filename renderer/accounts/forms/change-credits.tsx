/** The dialog that changes the credits of an account: adds or deducts credits, sets the balance, or makes the credits unlimited. */
import { useState } from 'preact/hooks';
import type { InputOf } from '../../../main/console/contract.ts';
import { useBridge } from '../../bridge/bridge.ts';
import { Segments } from '../../parts/choice.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { number, t } from '../../texts/text.ts';
import { readAmount, readDifference } from './amount.ts';
import type { AccountDialogProps } from './change-account.tsx';
import { FormDialog } from './form-dialog.tsx';

type ChangeType = 'add' | 'set' | 'unlimited';

export function ChangeCredits({ account, onClose, onChanged }: AccountDialogProps) {
  const bridge = useBridge();
  const { name, balance, refill } = account;
  const [changeType, setChangeType] = useState<ChangeType>(balance === undefined ? 'set' : 'add');
  const [amount, setAmount] = useState('');
  const credits = creditsOf(changeType, amount);
  const save = async () => {
    if (credits === undefined) return;
    await bridge.call('setCredits', { name, credits });
    await onChanged();
  };
  return (
    <FormDialog
      title={t('accounts.credits.title', { account: name })}
      submitLabel={t('action.save')}
      isSubmitDisabled={
        credits === undefined || (typeof credits === 'object' && !isCovered(balance ?? 0, credits))
      }
      onClose={onClose}
      onSubmit={save}
    >
      <p class="soft">
        {balance === undefined
          ? t('accounts.credits.now.unlimited')
          : t('accounts.credits.now', { balance: number(balance) })}
      </p>
      <Segments
        label={t('accounts.credits.how')}
        choices={changeTypeChoices(balance)}
        value={changeType}
        onChoose={setChangeType}
      />
      {changeType === 'unlimited' ? (
        <p class="field-hint">
          {t(refill === undefined ? 'accounts.credits.unlimited' : 'accounts.credits.unlimited.refill')}
        </p>
      ) : (
        <AmountField changeType={changeType} amount={amount} balance={balance} onAmount={setAmount} />
      )}
    </FormDialog>
  );
}

function changeTypeChoices(balance: number | undefined) {
  const types: readonly ChangeType[] =
    balance === undefined ? ['set', 'unlimited'] : ['add', 'set', 'unlimited'];
  return types.map((value) => ({ value, label: t(`accounts.credits.way.${value}`) }));
}

interface AmountFieldProps {
  readonly changeType: 'add' | 'set';
  readonly amount: string;
  readonly balance: number | undefined;
  readonly onAmount: (amount: string) => void;
}

function AmountField({ changeType, amount, balance = 0, onAmount }: AmountFieldProps) {
  const credits = creditsOf(changeType, amount);
  const newBalance =
    typeof credits === 'object' && isCovered(balance, credits) ? balance + credits.add : undefined;
  const hint =
    newBalance === undefined
      ? t(`accounts.credits.hint.${changeType}`)
      : t('accounts.credits.after', { sum: number(newBalance) });
  return (
    <Field
      label={t(changeType === 'add' ? 'accounts.credits.by' : 'accounts.credits.to')}
      hint={hint}
      error={amount.trim() === '' ? undefined : problemWith(credits, balance)}
    >
      {(control) => (
        <TextInput
          inputMode={changeType === 'add' ? 'text' : 'numeric'}
          autocomplete="off"
          value={amount}
          onText={onAmount}
          {...control}
        />
      )}
    </Field>
  );
}

type CreditsChange = InputOf<'setCredits'>['credits'];

function problemWith(credits: CreditsChange | undefined, balance: number): string | undefined {
  if (credits === undefined) return t('accounts.amount.wrong');
  if (typeof credits !== 'object' || isCovered(balance, credits)) return undefined;
  return t('accounts.credits.below', { balance: number(balance), taken: number(-credits.add) });
}

function isCovered(balance: number, { add }: { readonly add: number }): boolean {
  return balance + add >= 0;
}

function creditsOf(changeType: ChangeType, amount: string): CreditsChange | undefined {
  if (changeType === 'unlimited') return 'unlimited';
  if (changeType === 'set') return readAmount(amount);
  const add = readDifference(amount);
  return add === undefined ? undefined : { add };
}
