/**
 * The text of an option while the user types. It is stored apart from the request: the request omits default values, so a typed
 * default would disappear from the field.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OptionName } from '../../../main/job/options.ts';
import { problemWith, setOption, type OptionValue } from '../call.ts';

export interface OptionText {
  readonly text: string;
  readonly onInput: (text: string) => void;
  /** Called when the user leaves the field. */
  readonly onLeave: () => void;
  readonly error: string | undefined;
}

/** The delay between the last key and the validation. Validating earlier would report half-typed values. */
const validationDelayMs = 600;

export function useOptionText(name: OptionName, value: OptionValue | undefined): OptionText {
  const [draft, setDraft] = useState<string>();
  const [typing, setTyping] = useState(false);
  const hadError = useRef(false);
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
  const error = typing && !hadError.current ? undefined : problem;
  hadError.current = error !== undefined;
  return {
    text: draft ?? (typeof value === 'string' ? value : ''),
    error,
    onInput: (text) => {
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
