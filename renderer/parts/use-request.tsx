/** Loads data for a view from the service, and renders its loading, loaded and failed states. */
import { CloudOff } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../texts/text.ts';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';
import { Waiting } from './waiting.tsx';

interface RequestState<T> {
  readonly value: T | undefined;
  readonly problem: Error | undefined;
  readonly isLoading: boolean;
  /** Loads the data again. The current data stays until the response arrives. */
  readonly reload: () => Promise<void>;
}

/** Loads the data when the component is mounted and when one of `dependencies` changes. Ignores outdated responses. */
export function useRequest<T>(load: () => Promise<T>, dependencies: readonly unknown[]): RequestState<T> {
  const [state, setState] = useState<Omit<RequestState<T>, 'reload'>>(initialState);
  const lastRequest = useRef(0);
  const reload = useCallback(async () => {
    lastRequest.current += 1;
    const request = lastRequest.current;
    setState((before) => ({ ...before, isLoading: true }));
    try {
      const value = await load();
      if (request === lastRequest.current) setState({ value, problem: undefined, isLoading: false });
    } catch (problem) {
      if (request === lastRequest.current)
        setState({ value: undefined, problem: problem as Error, isLoading: false });
    }
  }, dependencies);
  useEffect(() => void reload(), [reload]);
  return { ...state, reload };
}

const initialState = { value: undefined, problem: undefined, isLoading: true };

interface LoadedProps<T> {
  readonly request: RequestState<T>;
  readonly children: (value: T) => ComponentChildren;
}

export function Loaded<T>({ request: { value, problem, reload }, children }: LoadedProps<T>) {
  if (value !== undefined) return <>{children(value)}</>;
  if (problem === undefined) return <Waiting>{t('loading')}</Waiting>;
  return (
    <Empty
      icon={CloudOff}
      title={t('failed.title')}
      actions={<Button onClick={() => void reload()}>{t('action.again')}</Button>}
    >
      {problem.message}
    </Empty>
  );
}
