/** The text of an option while the user types. The call contains no default values, so the field must store its text separately. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OptionName } from '../../../main/job/options.ts';
import { problemWith, setOption, type OptionValue } from '../call.ts';

export interface OptionText {
  readonly text: string;
  readonly onEnter: (text: string) => void;
  /** The user has left the field. */
  readonly onLeave: () => void;
  readonly error: string | undefined;
}

/** Milliseconds after the last key. Validating earlier would report half-typed values. */
const validationDelayMs = 600;

export function useOptionText(name: OptionName, value: OptionValue | undefined): OptionText {
  const [draft, setDraft] = useState<string>();
  const [typing, setTyping] = useState(false);
  const wasWrong = useRef(false);
  useEffect(() => {
    if (!typing) return undefined;
    const timer = setTimeout(() => {
      setTyping(false);
    }, validationDelayMs);
    return () => {
      clearTimeout(timer);
    };
  }, [typing, draft]);
  const problem = value === undefined ? undefined : problemWith(name, value);
  // An error that is already shown stays until the value is valid.
  const error = typing && !wasWrong.current ? undefined : problem;
  wasWrong.current = error !== undefined;
  return {
    text: draft ?? (typeof value === 'string' ? value : ''),
    error,
    onEnter: (text) => {
      setDraft(text);
      setTyping(true);
      setOption(name, text);
    },
    onLeave: () => {
      setDraft(undefined);
      setTyping(false);
    },
  };
}
