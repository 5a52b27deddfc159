/** The table of accounts. A click on a row opens the account beside the table. */
import type { AccountFacts } from '../../main/accounts/account.ts';
import { openItem, show } from '../state/current-view.ts';
import { number, t } from '../texts/text.ts';
import { AccountBadges } from './account-badges.tsx';
import { balanceText, dateText, limitTexts, refillText } from './account-texts.ts';

interface AccountsTableProps {
  readonly accounts: readonly AccountFacts[];
  /** Name of the signed-in user's account. */
  readonly ownAccount: string | undefined;
}

export function AccountsTable({ accounts, ownAccount }: AccountsTableProps) {
  return (
    <table class="table accounts-table">
      <thead>
        <tr>
          <th scope="col">{t('accounts.name')}</th>
          <th scope="col" class="end">
            {t('accounts.credits')}
          </th>
          <th scope="col" class="end accounts-spent">
            {t('accounts.spent')}
          </th>
          <th scope="col" class="accounts-limits">
            {t('accounts.limits')}
          </th>
          <th scope="col" class="accounts-created">
            {t('accounts.created')}
          </th>
        </tr>
      </thead>
      <tbody>
        {accounts.map((account) => (
          <Row key={account.name} account={account} isOwn={account.name === ownAccount} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ account, isOwn }: { readonly account: AccountFacts; readonly isOwn: boolean }) {
  const { name, spent, createdAt } = account;
  const refill = refillText(account);
  const limits = limitTexts(account);
  const isOpen = openItem.value === name;
  return (
    <tr
      data-open={isOpen ? '' : undefined}
      onClick={() => {
        show('accounts', name);
      }}
    >
      <td>
        <div class="account-name">
          <button type="button" class="account-open" id={`account-${name}`} aria-expanded={isOpen} dir="auto">
            {name}
          </button>
          <AccountBadges account={account} isOwn={isOwn} />
        </div>
      </td>
      <td class="end">
        {balanceText(account)}
        {refill !== undefined && <div class="faint accounts-small">{refill}</div>}
      </td>
      <td class="end accounts-spent">{number(spent)}</td>
      <td class="accounts-limits">
        {limits.length === 0 ? <span class="faint">{t('accounts.limits.none')}</span> : limits.join(', ')}
      </td>
      <td class="accounts-created">{dateText(createdAt)}</td>
    </tr>
  );
}
