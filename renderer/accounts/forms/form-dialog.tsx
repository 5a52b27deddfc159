/** A dialog with a form. Enter submits the form. The service's error is shown above the buttons. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { ActionError, useAction } from '../../parts/use-action.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { t } from '../../texts/text.ts';

interface FormDialogProps {
  readonly title: string;
  /** Label of the submit button. */
  readonly submitLabel: string;
  readonly tone?: 'primary' | 'danger';
  /** Disables the submit button. */
  readonly isSubmitDisabled?: boolean;
  readonly onClose: () => void;
  /** If the promise resolves, the dialog closes. If it rejects, the dialog shows the error. */
  readonly onSubmit: () => Promise<unknown>;
  readonly children: ComponentChildren;
}

export function FormDialog(props: FormDialogProps) {
  const {
    title,
    submitLabel,
    tone = 'primary',
    isSubmitDisabled = false,
    onClose,
    onSubmit,
    children,
  } = props;
  const { isBusy, problem, execute } = useAction();
  const id = useId();
  const send = async () => {
    if (!isSubmitDisabled && (await execute(onSubmit))) onClose();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="submit" form={id} tone={tone} disabled={isBusy || isSubmitDisabled}>
            {submitLabel}
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
        <ActionError text={problem} />
      </form>
    </Dialog>
  );
}
