/** Asks for the password of an encrypted PDF. */
import { LockKeyhole } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { t } from '../texts/text.ts';

interface PasswordFormProps {
  readonly wasWrong: boolean;
  readonly onPassword: (password: string) => void;
}

export function PasswordForm({ wasWrong, onPassword }: PasswordFormProps) {
  const [text, setText] = useState('');
  const [submitted, setSubmitted] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    setSubmitted(text);
    onPassword(text);
  };
  const error = wasWrong && text === submitted ? t('viewer.password.wrong') : undefined;
  const form = (
    <form class="viewer-password" onSubmit={submit}>
      <Field label={t('viewer.password.label')} error={error}>
        {(control) => (
          <TextInput {...control} type="password" autocomplete="off" value={text} onText={setText} />
        )}
      </Field>
      <Button type="submit" tone="primary" disabled={text === ''}>
        {t('viewer.password.open')}
      </Button>
    </form>
  );
  return (
    <Empty icon={LockKeyhole} title={t('viewer.password.title')} actions={form}>
      {t('viewer.password.sentence')}
    </Empty>
  );
}
