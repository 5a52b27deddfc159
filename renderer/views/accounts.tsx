/** The "Accounts" view: accounts with their keys, credits and limits. */
import { Plus, UserRoundX } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import type { AccountFacts } from '../../main/accounts/account.ts';
import { AccountPane } from '../accounts/account-pane.tsx';
import { AccountsTable } from '../accounts/accounts-table.tsx';
import { AddAccount } from '../accounts/forms/add-account.tsx';
import { KeyDialog, type CreatedKey } from '../accounts/forms/key-dialog.tsx';
import { useBridge } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Loaded, useRequest } from '../parts/use-request.tsx';
import { service } from '../state/service-state.ts';
import { openItem, show } from '../state/current-view.ts';
import { t } from '../texts/text.ts';
import '../accounts/accounts.css';

export function AccountsView() {
  const bridge = useBridge();
  const accountsRequest = useRequest(() => bridge.call('accounts', {}), [bridge]);
  const [adding, setAdding] = useState(false);
  const [createdKey, setCreatedKey] = useState<CreatedKey>();
  return (
    <section class="view" aria-label={t('nav.accounts')}>
      <header class="view-head">
        <h1>{t('nav.accounts')}</h1>
        {accountsRequest.value !== undefined && <span class="badge">{accountsRequest.value.length}</span>}
        <div class="view-head-space" />
        <Button
          tone="primary"
          icon={Plus}
          onClick={() => {
            setAdding(true);
          }}
        >
          {t('accounts.add')}
        </Button>
      </header>
      <Loaded request={accountsRequest}>
        {(accounts) => <Accounts accounts={accounts} onChanged={accountsRequest.reload} />}
      </Loaded>
      {adding && (
        <AddAccount
          onClose={() => {
            setAdding(false);
          }}
          onAdded={(key) => {
            setCreatedKey(key);
            void accountsRequest.reload();
          }}
        />
      )}
      {createdKey && (
        <KeyDialog
          {...createdKey}
          onSaved={() => {
            setCreatedKey(undefined);
            show('accounts', createdKey.account);
          }}
        />
      )}
    </section>
  );
}

interface AccountsProps {
  readonly accounts: readonly AccountFacts[];
  readonly onChanged: () => Promise<void>;
}

function Accounts({ accounts, onChanged }: AccountsProps) {
  const opened = accounts.find(({ name }) => name === openItem.value);
  const ownAccount = service.value?.account.name;
  useEffect(() => {
    if (opened === undefined) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) close(opened.name);
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
    };
  }, [opened?.name]);
  return (
    <div class="accounts" data-open={opened === undefined ? undefined : ''}>
      <div class="accounts-list">
        <AccountsTable accounts={accounts} ownAccount={ownAccount} />
        {opened === undefined && openItem.value !== '' && <Gone name={openItem.value} />}
      </div>
      {opened && (
        <AccountPane
          account={opened}
          isOwn={opened.name === ownAccount}
          onClose={() => {
            close(opened.name);
          }}
          onChanged={onChanged}
          onRemoved={async () => {
            show('accounts');
            await onChanged();
          }}
        />
      )}
    </div>
  );
}

/** Closes the account pane and moves the focus back to the account's row. */
function close(name: string): void {
  show('accounts');
  document.getElementById(`account-${name}`)?.focus();
}

function Gone({ name }: { readonly name: string }) {
  return (
    <Empty icon={UserRoundX} title={t('accounts.gone', { account: name })}>
      {t('accounts.gone.sentence')}
    </Empty>
  );
}
