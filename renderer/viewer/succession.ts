/** Documents that follow each other in one place: the next one is made ready behind the one shown, and takes its place without a flash. */
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Closable {
  readonly close: () => void;
}

export interface Succession<T> {
  readonly shown: T | undefined;
  /** Opened, but not drawn yet. */
  readonly next: T | undefined;
  /** Why the last one could not be opened. */
  readonly problem: Error | undefined;
  /** The next one is drawn: it takes the place. */
  readonly arrive: (next: T) => void;
}

type State<T> = Omit<Succession<T>, 'arrive'>;

/** Opens anew when one of `about` changes; closes what is shown no more. */
export function useSuccession<T extends Closable>(
  open: () => Promise<T>,
  about: readonly unknown[],
): Succession<T> {
  const [state, setState] = useState<State<T>>({ shown: undefined, next: undefined, problem: undefined });
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    let wanted = true;
    open().then(
      (next) => {
        if (!wanted) next.close();
        else
          setState(({ shown }) => (shown === undefined ? only(next) : { shown, next, problem: undefined }));
      },
      (problem: unknown) => {
        if (wanted) setState({ shown: undefined, next: undefined, problem: problem as Error });
      },
    );
    return () => {
      wanted = false;
    };
  }, about);
  useClosed(state.shown);
  useClosed(state.next, () => latest.current.shown);
  const arrive = (next: T) => {
    setState((before) => (before.next === next ? only(next) : before));
  };
  return { ...state, arrive };
}

function only<T>(shown: T): State<T> {
  return { shown, next: undefined, problem: undefined };
}

/** Closes it when it is held no more, unless it is held by another hand. */
function useClosed<T extends Closable>(held: T | undefined, other?: () => T | undefined): void {
  useEffect(
    () => () => {
      if (held !== undefined && held !== other?.()) held.close();
    },
    [held],
  );
}
