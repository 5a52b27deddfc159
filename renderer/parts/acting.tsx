/** Runs one request to the service at a time, and shows its error where the action was started. */
import { CircleAlert } from 'lucide-preact';
import { useState } from 'preact/hooks';

export interface Acting {
  readonly busy: boolean;
  readonly problem: string | undefined;
  /** Resolves to true if the action succeeded. While another action is running, it does nothing and resolves to false. */
  readonly act: (deed: () => Promise<unknown>) => Promise<boolean>;
}

export function useActing(): Acting {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const act = async (deed: () => Promise<unknown>) => {
    if (busy) return false;
    setBusy(true);
    setProblem(undefined);
    try {
      await deed();
      return true;
    } catch (refusal) {
      setProblem(refusal instanceof Error ? refusal.message : String(refusal));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, act };
}

/** The service's messages are English in every language. */
export function Problem({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="field-error" role="alert" lang="en" dir="auto">
      <CircleAlert size={14} aria-hidden="true" />
      {text}
    </p>
  );
}
