/** Something a person does that asks the service: once at a time, and what it has against it is shown where it was done. */
import { CircleAlert } from 'lucide-preact';
import { useState } from 'preact/hooks';

export interface Acting {
  readonly busy: boolean;
  readonly problem: string | undefined;
  /** Does nothing while something is done already. Resolves with whether it was done. */
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

/** In the service's own words, which are English. */
export function Problem({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="field-error" role="alert" lang="en" dir="auto">
      <CircleAlert size={14} aria-hidden="true" />
      {text}
    </p>
  );
}
