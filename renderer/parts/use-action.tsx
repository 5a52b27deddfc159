/** Runs one request to the service at a time, and shows its error where the action was started. */
import { CircleAlert } from 'lucide-preact';
import { useState } from 'preact/hooks';

export interface ActionState {
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  /** Resolves to true if the action succeeded. While another action is running, it does nothing and resolves to false. */
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
    } catch (refusal) {
      setProblem(refusal instanceof Error ? refusal.message : String(refusal));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, execute };
}

/** The service's messages are English in every language. */
export function ActionError({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="field-error" role="alert" lang="en" dir="auto">
      <CircleAlert size={14} aria-hidden="true" />
      {text}
    </p>
  );
}
