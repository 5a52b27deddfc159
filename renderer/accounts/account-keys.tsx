/** The keys of an account: active and revoked. */
import { KeyRound, Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { KeyFacts } from '../../main/accounts/account.ts';
import { useBridge } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { Loaded, useRequest } from '../parts/use-request.tsx';
import { moment, t } from '../texts/text.ts';
import { dateText } from './account-texts.ts';
import { AddKey, RevokeKey } from './forms/change-keys.tsx';
import { KeyDialog } from './forms/key-dialog.tsx';

export function AccountKeys({ name }: { readonly name: string }) {
  const bridge = useBridge();
  const keysRequest = useRequest(() => bridge.call('keys', { name }), [bridge, name]);
  const [adding, setAdding] = useState(false);
  const [createdKey, setCreatedKey] = useState<string>();
  return (
    <section class="pane-section" aria-label={t('accounts.keys')}>
      <div class="pane-head">
        <h3>{t('accounts.keys')}</h3>
        <Button
          tone="quiet"
          icon={Plus}
          onClick={() => {
            setAdding(true);
          }}
        >
          {t('accounts.keys.add')}
        </Button>
      </div>
      <Loaded request={keysRequest}>
        {(keys) => <Keys name={name} keys={keys} onRevoked={keysRequest.reload} />}
      </Loaded>
      {adding && (
        <AddKey
          name={name}
          onClose={() => {
            setAdding(false);
          }}
          onAdded={async (key) => {
            setCreatedKey(key);
            await keysRequest.reload();
          }}
        />
      )}
      {createdKey !== undefined && (
        <KeyDialog
          account={name}
          secret={createdKey}
          onSaved={() => {
            setCreatedKey(undefined);
          }}
        />
      )}
    </section>
  );
}

interface KeysProps {
  readonly name: string;
  readonly keys: readonly KeyFacts[];
  readonly onRevoked: () => Promise<void>;
}

function Keys({ name, keys, onRevoked }: KeysProps) {
  const [revoking, setRevoking] = useState<KeyFacts>();
  const active = keys.filter(({ revokedAt }) => revokedAt === undefined);
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== undefined);
  return (
    <>
      {active.length === 0 && <p class="faint">{t('accounts.keys.none')}</p>}
      <ul class="keys">
        {active.map((key) => (
          <Key key={key.id} facts={key} onRevoke={setRevoking} />
        ))}
      </ul>
      {revoked.length > 0 && (
        <details class="keys-revoked">
          <summary>{t('accounts.keys.revoked', { count: revoked.length })}</summary>
          <ul class="keys">
            {revoked.map((key) => (
              <Key key={key.id} facts={key} />
            ))}
          </ul>
        </details>
      )}
      {revoking !== undefined && (
        <RevokeKey
          name={name}
          onRevoked={onRevoked}
          facts={revoking}
          onClose={() => {
            setRevoking(undefined);
          }}
        />
      )}
    </>
  );
}

interface KeyProps {
  readonly facts: KeyFacts;
  readonly onRevoke?: (facts: KeyFacts) => void;
}

function Key({ facts, onRevoke }: KeyProps) {
  const { name, createdAt, lastUsedAt, revokedAt } = facts;
  const used =
    lastUsedAt === undefined
      ? t('accounts.keys.unused')
      : t('accounts.keys.used', { time: moment(lastUsedAt) });
  return (
    <li class="key-row">
      <KeyRound size={15} aria-hidden="true" />
      <div class="key-text">
        <span class="cut" title={name} dir="auto">
          {name}
        </span>
        <span class="faint">
          {revokedAt === undefined
            ? `${t('accounts.keys.createdOn', { time: dateText(createdAt) })} · ${used}`
            : t('accounts.keys.revokedOn', { time: dateText(revokedAt) })}
        </span>
      </div>
      {onRevoke && (
        <Button
          tone="quiet"
          aria-label={t('accounts.keys.revoke.of', { purpose: name })}
          onClick={() => {
            onRevoke(facts);
          }}
        >
          {t('accounts.keys.revoke')}
        </Button>
      )}
    </li>
  );
}
