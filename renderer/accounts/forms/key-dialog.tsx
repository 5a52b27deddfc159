/** Shows a new key, which cannot be shown again. The dialog closes only when the user confirms that the key is saved. */
import { TriangleAlert } from 'lucide-preact';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { t } from '../../texts/text.ts';

export interface CreatedKey {
  readonly account: string;
  readonly secret: string;
}

interface KeyDialogProps extends CreatedKey {
  readonly onSaved: () => void;
  /** Present if the key can be shown again later. */
  readonly onLater?: () => void;
  readonly title?: string;
  readonly warning?: string;
  /** A sentence before the user name and the key. */
  readonly introduction?: string;
}

export function KeyDialog({
  account,
  secret,
  onSaved,
  onLater,
  title,
  warning,
  introduction,
}: KeyDialogProps) {
  return (
    <Dialog
      title={title ?? t('accounts.key.title', { account })}
      isPersistent
      onClose={onSaved}
      buttons={
        <>
          {onLater !== undefined && <Button onClick={onLater}>{t('action.later')}</Button>}
          <Button tone="primary" onClick={onSaved}>
            {t('accounts.key.saved')}
          </Button>
        </>
      }
    >
      {introduction !== undefined && <p>{introduction}</p>}
      <p class="key-warning">
        <TriangleAlert size={16} aria-hidden="true" />
        {warning ?? t('accounts.key.warning')}
      </p>
      <dl class="key-facts">
        <Line label={t('accounts.key.user')} copy={t('accounts.key.copy.user')} text={account} />
        <Line label={t('accounts.key.key')} copy={t('accounts.key.copy.key')} text={secret} />
      </dl>
      <p class="field-hint">{t('accounts.key.use')}</p>
    </Dialog>
  );
}

interface LineProps {
  readonly label: string;
  readonly copy: string;
  readonly text: string;
}

function Line({ label, copy, text }: LineProps) {
  return (
    <div class="key-line">
      <dt>{label}</dt>
      <dd>
        <code dir="ltr">{text}</code>
        <CopyButton text={() => text} label={copy} />
      </dd>
    </div>
  );
}
