/**
 * Shows the key of the first account in the window of a service that was started without a terminal, until the user has saved it.
 */
import { useEffect, useState } from 'preact/hooks';
import { KeyDialog } from '../accounts/forms/key-dialog.tsx';
import { useBridge } from '../bridge/bridge.ts';
import { showToast } from '../parts/toasts.tsx';
import { t } from '../texts/text.ts';

export function FirstKey() {
  const { native } = useBridge();
  const [account, setAccount] = useState<{ readonly name: string; readonly key: string }>();
  const hide = () => {
    setAccount(undefined);
  };
  useEffect(() => {
    // Without the key the console is still usable.
    native?.firstKey().then(setAccount, () => {});
  }, []);
  if (native === undefined || account === undefined) return null;
  const forget = async () => {
    hide();
    await native.forgetFirstKey().catch((problem: unknown) => {
      showToast(String(problem), 'error');
    });
  };
  return (
    <KeyDialog
      account={account.name}
      secret={account.key}
      title={t('first.key.title')}
      introduction={t('first.key.sentence')}
      warning={t('first.key.warning')}
      onLater={hide}
      onSaved={() => void forget()}
    />
  );
}
