/** The header of an account's pane, and its notes. */
import { X } from 'lucide-preact';
import type { AccountFacts } from '../../main/accounts/account.ts';
import { IconButton } from '../parts/button.tsx';
import { t, type TextKey } from '../texts/text.ts';
import { AccountBadges } from './account-badges.tsx';

interface OneAccount {
  readonly account: AccountFacts;
  /** Whether it is the account of the signed-in user. */
  readonly isOwn: boolean;
}

export function AccountHead({ account, isOwn, onClose }: OneAccount & { readonly onClose: () => void }) {
  return (
    <header class="account-pane-head">
      <div class="account-name">
        <h2 class="account-title" dir="auto">
          {account.name}
        </h2>
        <AccountBadges account={account} isOwn={isOwn} />
      </div>
      <IconButton icon={X} label={t('action.close')} onClick={onClose} />
    </header>
  );
}

/** Notes on special accounts. */
export function AccountNotes({ account, isOwn }: OneAccount) {
  const keys: TextKey[] = [
    ...(account.demo ? (['accounts.demo.sentence'] as const) : []),
    ...(account.tray ? (['accounts.tray.sentence'] as const) : []),
    ...(account.hotFolders ? (['accounts.folders.sentence'] as const) : []),
    ...(isOwn && !account.tray ? (['accounts.own.sentence'] as const) : []),
  ];
  return (
    <>
      {keys.map((key) => (
        <p key={key} class="account-note">
          {t(key)}
        </p>
      ))}
    </>
  );
}
