/** Runs one action at a time, such as a request to the service, and holds its error for `ActionError`. */
import { CircleAlert } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { messageOf } from '../../main/failure/failure.ts';

interface ActionState {
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  /** Resolves to true if the action succeeded. While another action is running, does nothing and resolves to false. */
  readonly execute: (action: () => Promise<unknown>) => Promise<boolean>;
}

export function useAction(): ActionState {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const execute = async (action: () => Promise<unknown>) => {
    if (isBusy) return false;
    setBusy(true);
    setProblem(undefined);
    try {
      await action();
      return true;
    } catch (error) {
      setProblem(messageOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, execute };
}

/** Shows the error of an action, marked as English, because the messages of the service are not translated. */
export function ActionError({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="field-error" role="alert" lang="en" dir="auto">
      <CircleAlert size={14} aria-hidden="true" />
      {text}
    </p>
  );
}
