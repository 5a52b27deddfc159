/** Badges for the special properties of an account, such as operator or demo. */
import type { AccountFacts } from '../../main/accounts/account.ts';
import { t } from '../texts/text.ts';

export function AccountBadges({
  account,
  isOwn,
}: {
  readonly account: AccountFacts;
  readonly isOwn: boolean;
}) {
  const { operator, demo, tray, hotFolders, debugLog } = account;
  return (
    <>
      {operator && (
        <span class="badge" data-tone="accent">
          {t('accounts.badge.operator')}
        </span>
      )}
      {demo && (
        <span class="badge" data-tone="warning">
          {t('accounts.badge.demo')}
        </span>
      )}
      {tray && <span class="badge">{t('accounts.badge.tray')}</span>}
      {hotFolders && <span class="badge">{t('accounts.badge.folders')}</span>}
      {debugLog && <span class="badge">{t('accounts.badge.log')}</span>}
      {isOwn && <span class="badge">{t('accounts.badge.own')}</span>}
    </>
  );
}
