/** A modal dialog. The native dialog element traps the focus and closes when the user presses Escape. */
import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../texts/text.ts';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** The buttons below the content. */
  readonly buttons?: ComponentChildren;
  /** Whether only `buttons` close the dialog, not Escape or a close button. For content that is shown only once. */
  readonly isPersistent?: boolean;
}

/** The dialog is open while the component is mounted. */
export function Dialog({ title, onClose, children, buttons, isPersistent = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isPersistent) onClose();
      }}
      onKeyDown={(event) => {
        // On a second Escape, the browser would close the dialog without a cancel event (HTML, close watchers).
        if (isPersistent && event.key === 'Escape') event.preventDefault();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        {!isPersistent && <IconButton icon={X} label={t('action.close')} onClick={onClose} />}
      </div>
      <div class="dialog-body">{children}</div>
      {buttons !== undefined && <div class="dialog-foot">{buttons}</div>}
    </dialog>
  );
}
