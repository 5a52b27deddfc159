/** Data that a view loads from the service: the loading, loaded and failed states. */
import { CloudOff } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../texts/text.ts';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';
import { Waiting } from './waiting.tsx';

export interface Asked<T> {
  readonly value: T | undefined;
  readonly problem: Error | undefined;
  readonly asking: boolean;
  /** Loads the data again; the present data stays until then. */
  readonly again: () => Promise<void>;
}

/** Loads when it is mounted and when one of `about` changes. An outdated response is dropped. */
export function useAsked<T>(ask: () => Promise<T>, about: readonly unknown[]): Asked<T> {
  const [state, setState] = useState<Omit<Asked<T>, 'again'>>(nothingYet);
  const turn = useRef(0);
  const again = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    setState((before) => ({ ...before, asking: true }));
    try {
      const value = await ask();
      if (mine === turn.current) setState({ value, problem: undefined, asking: false });
    } catch (problem) {
      if (mine === turn.current) setState({ value: undefined, problem: problem as Error, asking: false });
    }
  }, about);
  useEffect(() => void again(), [again]);
  return { ...state, again };
}

const nothingYet = { value: undefined, problem: undefined, asking: true };

interface LoadedProps<T> {
  readonly of: Asked<T>;
  readonly children: (value: T) => ComponentChildren;
}

export function Loaded<T>({ of: { value, problem, again }, children }: LoadedProps<T>) {
  if (value !== undefined) return <>{children(value)}</>;
  if (problem === undefined) return <Waiting>{t('loading')}</Waiting>;
  return (
    <Empty
      icon={CloudOff}
      title={t('failed.title')}
      actions={<Button onClick={() => void again()}>{t('action.again')}</Button>}
    >
      {problem.message}
    </Empty>
  );
}
