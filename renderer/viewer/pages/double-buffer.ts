/** Replaces a document without a flash (double buffering): the next one is opened and drawn behind the one shown, then swapped in. */
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Closable {
  readonly close: () => void;
}

export interface DoubleBuffer<T> {
  readonly shown: T | undefined;
  /** Opened, but not drawn yet. */
  readonly next: T | undefined;
  /** Why the last document could not be opened. */
  readonly problem: Error | undefined;
  /** Call it when the next document is drawn; the documents are swapped. */
  readonly swap: (next: T) => void;
}

type State<T> = Omit<DoubleBuffer<T>, 'swap'>;

/** Opens a document again when one of `about` changes, and closes documents that are no longer shown. */
export function useDoubleBuffer<T extends Closable>(
  open: () => Promise<T>,
  about: readonly unknown[],
): DoubleBuffer<T> {
  const [state, setState] = useState<State<T>>({ shown: undefined, next: undefined, problem: undefined });
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    let isCurrent = true;
    open().then(
      (next) => {
        if (!isCurrent) next.close();
        else
          setState(({ shown }) => (shown === undefined ? only(next) : { shown, next, problem: undefined }));
      },
      (problem: unknown) => {
        if (isCurrent) setState({ shown: undefined, next: undefined, problem: problem as Error });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, about);
  useClosed(state.shown);
  useClosed(state.next, () => latest.current.shown);
  const swap = (next: T) => {
    setState((before) => (before.next === next ? only(next) : before));
  };
  return { ...state, swap };
}

function only<T>(shown: T): State<T> {
  return { shown, next: undefined, problem: undefined };
}

/** Closes a document when its last holder releases it. */
function useClosed<T extends Closable>(held: T | undefined, other?: () => T | undefined): void {
  useEffect(
    () => () => {
      if (held !== undefined && held !== other?.()) held.close();
    },
    [held],
  );
}
