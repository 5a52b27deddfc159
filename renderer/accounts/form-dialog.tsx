/** A dialog with a form: Enter submits it, and errors of the service are shown above the buttons. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Problem, useActing } from '../parts/acting.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { t } from '../texts/text.ts';

interface FormDialogProps {
  readonly title: string;
  /** Label of the submit button. */
  readonly verb: string;
  readonly tone?: 'primary' | 'danger';
  /** Disables the submit button. */
  readonly blocked?: boolean;
  readonly onClose: () => void;
  /** The dialog closes afterwards, unless the service refuses. */
  readonly onSend: () => Promise<unknown>;
  readonly children: ComponentChildren;
}

export function FormDialog(props: FormDialogProps) {
  const { title, verb, tone = 'primary', blocked = false, onClose, onSend, children } = props;
  const { busy, problem, act } = useActing();
  const id = useId();
  const send = async () => {
    if (!blocked && (await act(onSend))) onClose();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="submit" form={id} tone={tone} disabled={busy || blocked}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        id={id}
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {children}
        <Problem text={problem} />
      </form>
    </Dialog>
  );
}
