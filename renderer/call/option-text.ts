/** What somebody is entering for an option: kept as typed while it is, though the call takes a default as nothing. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OptionName } from '../../main/job/options.ts';
import { problemWith, setOption, type OptionValue } from './call.ts';

export interface OptionText {
  readonly text: string;
  readonly enter: (text: string) => void;
  /** Nobody types any more. */
  readonly settle: () => void;
  readonly error: string | undefined;
}

/** Milliseconds after the last key; before, half a value would be called wrong. */
const pause = 600;

export function useOptionText(name: OptionName, value: OptionValue | undefined): OptionText {
  const [draft, setDraft] = useState<string>();
  const [typing, setTyping] = useState(false);
  const wasWrong = useRef(false);
  useEffect(() => {
    if (!typing) return undefined;
    const timer = setTimeout(() => {
      setTyping(false);
    }, pause);
    return () => {
      clearTimeout(timer);
    };
  }, [typing, draft]);
  const problem = value === undefined ? undefined : problemWith(name, value);
  // What has been said stays until it is put right.
  const error = typing && !wasWrong.current ? undefined : problem;
  wasWrong.current = error !== undefined;
  return {
    text: draft ?? (typeof value === 'string' ? value : ''),
    error,
    enter: (text) => {
      setDraft(text);
      setTyping(true);
      setOption(name, text);
    },
    settle: () => {
      setDraft(undefined);
      setTyping(false);
    },
  };
}
