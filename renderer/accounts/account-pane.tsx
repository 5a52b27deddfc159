/** One account: credits, limits, keys and actions. */
import { Trash2, X } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { AccountFacts } from '../../main/accounts/account.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { number, t, type TextKey } from '../texts/text.ts';
import { AccountBadges } from './account-badges.tsx';
import { AccountKeys } from './account-keys.tsx';
import { balanceText, dateText, limitTexts, refillText } from './account-texts.ts';
import { ChangeAccount } from './forms/change-account.tsx';
import { ChangeCredits } from './forms/change-credits.tsx';
import { RemoveAccount } from './forms/remove-account.tsx';

interface AccountPaneProps {
  readonly account: AccountFacts;
  readonly isOwn: boolean;
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
  readonly onRemoved: () => Promise<void>;
}

const dialogs = { limits: ChangeAccount, credits: ChangeCredits, removal: RemoveAccount };

type DialogName = keyof typeof dialogs;

export function AccountPane({ account, isOwn, onClose, onChanged, onRemoved }: AccountPaneProps) {
  const [open, setOpen] = useState<DialogName>();
  const OpenDialog = open && dialogs[open];
  return (
    <aside class="account-pane" aria-label={t('accounts.pane', { account: account.name })}>
      <AccountHead account={account} isOwn={isOwn} onClose={onClose} />
      <div class="account-pane-body">
        <AccountNotes account={account} isOwn={isOwn} />
        <Credits account={account} onOpen={setOpen} />
        <Limits account={account} onOpen={setOpen} />
        {!account.tray && !account.hotFolders && <AccountKeys key={account.name} name={account.name} />}
        {!account.tray && !isOwn && (
          <div class="pane-section">
            <Button
              tone="danger"
              icon={Trash2}
              onClick={() => {
                setOpen('removal');
              }}
            >
              {t('accounts.remove')}
            </Button>
          </div>
        )}
      </div>
      {OpenDialog && (
        <OpenDialog
          account={account}
          onClose={() => {
            setOpen(undefined);
          }}
          onChanged={open === 'removal' ? onRemoved : onChanged}
        />
      )}
    </aside>
  );
}

interface SectionProps {
  readonly account: AccountFacts;
  readonly onOpen: (dialog: DialogName) => void;
}

function Credits({ account, onOpen }: SectionProps) {
  const refill = refillText(account);
  const change = () => {
    onOpen('credits');
  };
  return (
    <Section title={t('accounts.credits')} name={t('accounts.credits.change')} onChange={change}>
      <p class="account-balance">
        {account.balance !== undefined ? (
          <>
            <strong>{balanceText(account)}</strong> {t('accounts.credits.left')}
          </>
        ) : (
          <strong>{t('accounts.unlimited')}</strong>
        )}
      </p>
      <p class="faint">
        {[t('accounts.credits.spent', { spent: number(account.spent) }), refill].filter(Boolean).join(' · ')}
      </p>
    </Section>
  );
}

function Limits({ account, onOpen }: SectionProps) {
  const limits = limitTexts(account);
  const change = () => {
    onOpen('limits');
  };
  return (
    <Section title={t('accounts.rights')} name={t('accounts.rights.change')} onChange={change}>
      <dl class="account-facts">
        <dt>{t('accounts.limits')}</dt>
        <dd>{limits.length === 0 ? t('accounts.limits.none') : limits.join(', ')}</dd>
        <dt>{t('accounts.operator')}</dt>
        <dd>{t(account.operator ? 'accounts.yes' : 'accounts.no')}</dd>
        <dt>{t('accounts.debugLog')}</dt>
        <dd>{t(account.debugLog ? 'accounts.debugLog.always' : 'accounts.debugLog.onRequest')}</dd>
        <dt>{t('accounts.created')}</dt>
        <dd>{dateText(account.createdAt)}</dd>
      </dl>
    </Section>
  );
}

interface PaneSectionProps {
  readonly title: string;
  /** Accessible name of the button. */
  readonly name: string;
  readonly onChange: () => void;
  readonly children: ComponentChildren;
}

function Section({ title, name, onChange, children }: PaneSectionProps) {
  return (
    <section class="pane-section" aria-label={title}>
      <div class="pane-head">
        <h3>{title}</h3>
        <Button tone="quiet" aria-label={name} onClick={onChange}>
          {t('accounts.change')}
        </Button>
      </div>
      {children}
    </section>
  );
}

interface AccountProps {
  readonly account: AccountFacts;
  /** Whether the signed-in user uses this account. */
  readonly isOwn: boolean;
}

function AccountHead({ account, isOwn, onClose }: AccountProps & { readonly onClose: () => void }) {
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

/** Notes on the demo account, the tray account, the hot-folder account and the user's own account. */
function AccountNotes({ account, isOwn }: AccountProps) {
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
