/** A modal dialog: the native dialog element, which traps the focus and closes with Escape. */
import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../texts/text.ts';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Its buttons. */
  readonly foot?: ComponentChildren;
  /** Only its own buttons close it, for dialogs whose content would be lost. */
  readonly isPersistent?: boolean;
}

/** Open while it is mounted. */
export function Dialog({ title, onClose, children, foot, isPersistent = false }: DialogProps) {
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
        // A second Escape would close it without a cancel event (HTML, close watchers).
        if (isPersistent && event.key === 'Escape') event.preventDefault();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        {!isPersistent && <IconButton icon={X} label={t('action.close')} onClick={onClose} />}
      </div>
      <div class="dialog-body">{children}</div>
      {foot !== undefined && <div class="dialog-foot">{foot}</div>}
    </dialog>
  );
}
