/**
 * Replaces a document without flicker (double buffering): the next document is opened and drawn while the previous one is visible.
 */
import { useEffect, useRef, useState } from 'preact/hooks';

interface Closable {
  readonly close: () => void;
}

interface DoubleBuffer<T> {
  readonly shown: T | undefined;
  /** The next document: opened, but not drawn yet. */
  readonly next: T | undefined;
  /** Why the last document could not be opened. */
  readonly problem: Error | undefined;
  /** Shows the next document. To be called when it is drawn. */
  readonly swap: (next: T) => void;
}

type BufferState<T> = Omit<DoubleBuffer<T>, 'swap'>;

/** Opens the document when one of `dependencies` changes, and closes documents that are no longer shown. */
export function useDoubleBuffer<T extends Closable>(
  open: () => Promise<T>,
  dependencies: readonly unknown[],
): DoubleBuffer<T> {
  const [state, setState] = useState<BufferState<T>>({
    shown: undefined,
    next: undefined,
    problem: undefined,
  });
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    let isCurrent = true;
    open().then(
      (next) => {
        if (!isCurrent) next.close();
        else
          setState(({ shown }) =>
            shown === undefined ? showing(next) : { shown, next, problem: undefined },
          );
      },
      (problem: unknown) => {
        if (isCurrent) setState({ shown: undefined, next: undefined, problem: problem as Error });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, dependencies);
  useClose(state.shown);
  useClose(state.next, () => latest.current.shown);
  const swap = (next: T) => {
    setState((before) => (before.next === next ? showing(next) : before));
  };
  return { ...state, swap };
}

function showing<T>(shown: T): BufferState<T> {
  return { shown, next: undefined, problem: undefined };
}

/** Closes the document when it is replaced or the component is unmounted, unless `stillUsed` returns the same document. */
function useClose<T extends Closable>(held: T | undefined, stillUsed?: () => T | undefined): void {
  useEffect(
    () => () => {
      if (held !== undefined && held !== stillUsed?.()) held.close();
    },
    [held],
  );
}
